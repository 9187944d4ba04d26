// @ts-check
// One photo, taken by the person at this phone, cut down, and shown to them before it is sent. What is sent is drawn
// anew, so that nothing of the camera's own notes, the place for one, goes with it.
import { say } from "./dom.js";
import { decide, put } from "./phone-sheet.js";

const SIDES_PX = [1280, 960, 640];
const BYTES = 400_000; // with a third more as base64 it fits into a frame of the line
const QUALITIES = [0.8, 0.6, 0.4];
const WANTED = { width: { ideal: 1920 }, height: { ideal: 1440 } };

/** @typedef {{ media_type: string, width: number, height: number, data: string }} Picture */
/** @typedef {"ask" | "live" | "taken" | "file"} Look how the sheet stands */

/** Whether this browser can take one at all; a file is a way where no camera is opened. */
export const canTake = () => "mediaDevices" in navigator || "capture" in HTMLInputElement.prototype;

/** Ask the browser for the camera. @param {"user" | "environment"} facing @returns {Promise<MediaStream>} */
export const openCamera = (facing = "environment") => navigator.mediaDevices.getUserMedia({ video: { facingMode: facing, ...WANTED }, audio: false });

/** @param {MediaStream | null} stream */
export function shut(stream) {
  for (const track of stream?.getTracks() || []) track.stop();
}

/** @param {"user" | "environment"} facing @returns {Promise<Picture | null>} null when nobody sent one in time */
export async function photo(facing) {
  /** @type {Shot | null} */
  let shot = null;
  try {
    return await decide("phone-photo", (/** @type {import("./phone-sheet.js").Opened<Picture>} */ opened) => {
      shot = new Shot(opened, facing);
      shot.begin();
    });
  } finally {
    /** @type {Shot | null} */ (shot)?.end();
  }
}

class Shot {
  /** @param {import("./phone-sheet.js").Opened<Picture>} opened @param {"user" | "environment"} facing */
  constructor({ sheet, done, on }, facing) {
    const video = sheet.querySelector("video"), canvas = sheet.querySelector("canvas"), file = sheet.querySelector("input");
    if (!video || !canvas || !file) throw new Error("the sheet has no camera");
    Object.assign(file, { value: "", capture: facing });
    this.sheet = sheet;
    this.facing = facing;
    this.video = video;
    this.canvas = canvas;
    /** @type {MediaStream | null} */
    this.stream = null;
    this.isOver = false;
    /** @type {Look} */
    this.source = "live";
    on("[data-open]", () => this.open());
    on("[data-take]", () => { this.draw(video, video.videoWidth, video.videoHeight); this.look("taken"); });
    on("[data-again]", () => this.look(this.source));
    on("[data-go]", async () => done(await packed(canvas)));
    file.onchange = () => this.read(file.files?.[0]);
    video.onloadeddata = () => this.ready(true);
  }

  /** The browser's own question comes after ours, and only where it would ask. */
  async begin() {
    const state = await permission();
    if (this.isOver) return;
    if (state === "denied" || !("mediaDevices" in navigator)) this.without("phone.camera_denied_here");
    else if (state === "granted") await this.open();
    else this.look("ask");
  }

  async open() {
    this.ready(false);
    this.look("live");
    try {
      const stream = await openCamera(this.facing);
      if (this.isOver) { shut(stream); return; }
      this.stream = stream;
      this.video.srcObject = stream;
      await this.video.play();
    } catch (error) {
      if (this.isOver) return;
      const isDenied = error instanceof DOMException && error.name === "NotAllowedError";
      this.without(isDenied ? "phone.camera_denied_here" : "phone.camera_none_here");
    }
  }

  /** No camera on this page: the person takes or picks a photo with the phone's own means. @param {string} why */
  without(why) {
    this.source = "file";
    put(this.sheet, "why", say(why));
    this.look("file");
  }

  /** @param {File | undefined} file */
  async read(file) {
    if (!file) return;
    try {
      const image = await createImageBitmap(file);
      this.draw(image, image.width, image.height);
      image.close();
      this.look("taken");
    } catch {
      put(this.sheet, "why", say("phone.no_picture"));
    }
  }

  /** @param {boolean} is whether there is something to take */
  ready(is) {
    for (const one of this.sheet.querySelectorAll("[data-take]")) if (one instanceof HTMLButtonElement) one.disabled = !is;
    this.lead();
  }

  /** @param {Look} look */
  look(look) {
    for (const one of this.sheet.querySelectorAll("[data-when]")) {
      if (one instanceof HTMLElement) one.hidden = !(one.dataset.when || "").split(" ").includes(look);
    }
    this.lead();
  }

  /** Keys go to what comes next. */
  lead() {
    if (!this.sheet.open) return;
    const next = this.sheet.querySelector("[data-when]:not([hidden]) :is(.go:enabled, input)") || this.sheet.querySelector("[data-when]:not([hidden]) [data-no]");
    if (next instanceof HTMLElement) next.focus();
  }

  /** @param {CanvasImageSource} source @param {number} width @param {number} height */
  draw(source, width, height) {
    const scale = Math.min(1, SIDES_PX[0] / Math.max(width, height, 1));
    resize(this.canvas, source, Math.round(width * scale), Math.round(height * scale));
  }

  end() {
    this.isOver = true;
    shut(this.stream);
    this.video.srcObject = null;
    this.canvas.width = this.canvas.height = 1;
  }
}

/** What the browser has been told of the camera so far; one that does not say would ask. */
async function permission() {
  try {
    return (await navigator.permissions.query({ name: /** @type {PermissionName} */ ("camera") })).state;
  } catch {
    return "prompt";
  }
}

/** @param {HTMLCanvasElement} canvas @param {CanvasImageSource} source @param {number} width @param {number} height */
function resize(canvas, source, width, height) {
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  canvas.getContext("2d")?.drawImage(source, 0, 0, canvas.width, canvas.height);
}

/** The picture as a JPEG that fits: rather with less detail than smaller. @param {HTMLCanvasElement} canvas
 * @returns {Promise<Picture>} */
async function packed(canvas) {
  for (const side of SIDES_PX) {
    const scale = Math.min(1, side / Math.max(canvas.width, canvas.height));
    const small = document.createElement("canvas");
    resize(small, canvas, Math.round(canvas.width * scale), Math.round(canvas.height * scale));
    for (const quality of QUALITIES) {
      const blob = await new Promise((/** @type {(made: Blob | null) => void} */ resolve) => small.toBlob(resolve, "image/jpeg", quality));
      if (!blob || blob.size > BYTES) continue;
      return { media_type: "image/jpeg", width: small.width, height: small.height, data: base64(await blob.arrayBuffer()) };
    }
  }
  throw new Error("the picture cannot be packed");
}

/** @param {ArrayBuffer} buffer */
function base64(buffer) {
  const bytes = new Uint8Array(buffer);
  let said = "";
  for (let at = 0; at < bytes.length; at += 0x8000) said += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(said);
}
