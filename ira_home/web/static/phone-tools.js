// @ts-check
// What a browser can do as a device of its person. A definition that changes waits for the person's PIN, so what
// is declared stays as it is, in one language; what is said to people is in theirs.
import { say } from "./dom.js";
import { canTake, photo } from "./phone-photo.js";
import { ring } from "./phone-ring.js";
import { decide, put } from "./phone-sheet.js";

const RING_S = 20;
const RING_S_MAX = 60;
const PLACE_MS = 20_000;
const TEXT_CHARS = 4_000;

/** @typedef {{ name: string, title: string, description: string, tier: number, outward: boolean, skill: string, parameters: object, examples: string[] }} Definition */
/** @typedef {{ define: Definition, can: () => boolean, run: (args: any) => Promise<any> }} Tool */

/** What went wrong, in words for the person. */
export class Refused extends Error {}

/** @param {Record<string, object>} [properties] @param {string[]} [required] */
const takes = (properties = {}, required = []) => ({ type: "object", properties, required, additionalProperties: false });

/** @param {unknown} value @param {string} name */
function text(value, name) {
  if (typeof value !== "string" || !value.trim() || value.length > TEXT_CHARS) throw new Refused(say("phone.bad", { name }));
  return value;
}

/** @param {unknown} value */
function link(value) {
  const written = text(value, "url");
  let url;
  try { url = new URL(written); } catch { throw new Refused(say("phone.bad_link")); }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new Refused(say("phone.bad_link"));
  return url;
}

/** @returns {Promise<GeolocationPosition>} */
function place() {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(resolve, (error) => {
      reject(new Refused(say(error.code === error.PERMISSION_DENIED ? "phone.place_denied" : "phone.place_unknown")));
    }, { enableHighAccuracy: true, timeout: PLACE_MS, maximumAge: 30_000 });
  });
}

/** Let the person at this phone do something with a text, by one touch. @param {string} heading @param {string} shown
 * @param {string} go @param {() => Promise<void>} act */
async function byTouch(heading, shown, go, act) {
  const done = await decide("phone-do", ({ sheet, done, on }) => {
    put(sheet, "heading", heading);
    put(sheet, "text", shown);
    put(sheet, "go", go);
    on("[data-go]", () => act().then(() => done("yes"), () => done("failed")));
  });
  if (done === null) throw new Refused(say("phone.not_now"));
  if (done === "failed") throw new Refused(say("phone.refused_by_browser"));
}

/** @returns {any} */
const battery = () => /** @type {any} */ (navigator);

/** @type {Tool[]} */
export const TOOLS = [
  {
    define: {
      name: "phone_ring", title: "Ring this phone", skill: "ring", tier: 1, outward: false,
      description: "Make this phone ring aloud, for whoever is looking for it.",
      parameters: takes({ seconds: { type: "integer", minimum: 1, maximum: RING_S_MAX, description: `how long, by default ${RING_S}` } }),
      examples: ["ring my phone", "make my phone ring", "mera phone bajao", "मेरा फ़ोन बजाओ"],
    },
    can: () => "AudioContext" in window,
    async run(args) {
      const seconds = args.seconds ?? RING_S;
      if (!Number.isInteger(seconds) || seconds < 1 || seconds > RING_S_MAX) throw new Refused(say("phone.bad", { name: "seconds" }));
      if (!(await ring(seconds))) throw new Refused(say("phone.no_sound"));
      return { summary: say("phone.rings", { n: seconds }) };
    },
  },
  {
    define: {
      name: "location_now", title: "Tell where this phone is", skill: "location", tier: 0, outward: false,
      description: "Tell where this phone is now, as latitude and longitude with the accuracy in metres.",
      parameters: takes(),
      examples: ["what is the location of my phone", "where am I", "mere phone ki location batao", "मेरे फ़ोन की लोकेशन बताओ"],
    },
    can: () => "geolocation" in navigator,
    async run() {
      const { coords, timestamp } = await place();
      const latitude = Number(coords.latitude.toFixed(5)), longitude = Number(coords.longitude.toFixed(5));
      const metres = Math.round(coords.accuracy);
      return { summary: say("phone.place", { where: `${latitude}, ${longitude}`, metres }), latitude, longitude, accuracy_m: metres, at: new Date(timestamp).toISOString() };
    },
  },
  {
    define: {
      name: "photo_take", title: "Take a photo", skill: "camera", tier: 1, outward: false,
      description: "Ask the person at this phone to take one photo, and show it. They see it before it is sent.",
      parameters: takes({ camera: { type: "string", enum: ["back", "front"], description: "which camera, by default the back one" } }),
      examples: ["take a photo", "photo khincho", "ek photo lo", "फ़ोटो खींचो"],
    },
    can: canTake,
    async run(args) {
      const picture = await photo(args.camera === "front" ? "user" : "environment");
      if (!picture) throw new Refused(say("phone.not_now"));
      return { summary: say("phone.photo_sent"), picture };
    },
  },
  {
    define: {
      name: "clipboard_set", title: "Put a text on the clipboard", skill: "clipboard", tier: 1, outward: false,
      description: "Put a text on this phone's clipboard, so that it can be pasted there.",
      parameters: takes({ text: { type: "string", minLength: 1, maxLength: TEXT_CHARS } }, ["text"]),
      examples: ["copy this to my phone", "yeh mere phone par copy karo", "यह मेरे फ़ोन पर कॉपी करो"],
    },
    can: () => Boolean(navigator.clipboard?.writeText),
    async run(args) {
      const wanted = text(args.text, "text");
      await byTouch(say("phone.copy_heading"), wanted, say("phone.copy_go"), () => navigator.clipboard.writeText(wanted));
      return { summary: say("phone.copied") };
    },
  },
  {
    define: {
      name: "notify_show", title: "Show a notice", skill: "notify", tier: 1, outward: false,
      description: "Show a short notice on this phone.",
      parameters: takes({ text: { type: "string", minLength: 1, maxLength: 500 } }, ["text"]),
      examples: ["show a notice on my phone", "mere phone par dikhao", "मेरे फ़ोन पर दिखाओ"],
    },
    can: () => true,
    async run(args) {
      const shown = text(args.text, "text");
      return { summary: say((await notice(shown)) ? "phone.noticed" : "phone.noticed_here") };
    },
  },
  {
    define: {
      name: "open_link", title: "Open a link", skill: "links", tier: 2, outward: true,
      description: "Open a web address on this phone. The person there touches it once.",
      parameters: takes({ url: { type: "string", minLength: 8, maxLength: 2000, description: "an address of the web, whole" } }, ["url"]),
      examples: ["open example.com on my phone", "phone par link kholo", "फ़ोन पर लिंक खोलो"],
    },
    can: () => true,
    async run(args) {
      const url = link(args.url);
      await byTouch(say("phone.link_heading", { host: url.host }), url.href, say("phone.link_go"), async () => {
        window.open(url.href, "_blank", "noopener,noreferrer");
      });
      return { summary: say("phone.opened", { host: url.host }) };
    },
  },
  {
    define: {
      name: "share_text", title: "Share a text", skill: "share", tier: 2, outward: true,
      description: "Offer a text to another app of this phone. The person there chooses the app.",
      parameters: takes({ text: { type: "string", minLength: 1, maxLength: TEXT_CHARS } }, ["text"]),
      examples: ["share this from my phone", "phone se share karo", "फ़ोन से शेयर करो"],
    },
    can: () => typeof navigator.share === "function",
    async run(args) {
      const wanted = text(args.text, "text");
      await byTouch(say("phone.share_heading"), wanted, say("phone.share_go"), () => navigator.share({ text: wanted }));
      return { summary: say("phone.shared") };
    },
  },
  {
    define: {
      name: "battery_level", title: "Tell the battery", skill: "battery", tier: 0, outward: false,
      description: "Tell how full the battery of this phone is and whether it is charging.",
      parameters: takes(),
      examples: ["how much battery does my phone have", "phone ki battery kitni hai", "फ़ोन की बैटरी कितनी है"],
    },
    can: () => typeof battery().getBattery === "function",
    async run() {
      const found = await battery().getBattery();
      const percent = Math.round(found.level * 100);
      return { summary: say(found.charging ? "phone.charging" : "phone.battery", { percent }), percent, charging: found.charging };
    },
  },
];

/** Show a notice, by the system where it may. @param {string} shown @returns {Promise<boolean>} whether by the system */
export async function notice(shown, title = "Ira") {
  document.dispatchEvent(new CustomEvent("ira:notice", { detail: shown }));
  if (!("Notification" in window) || Notification.permission !== "granted") return false;
  const worker = await navigator.serviceWorker?.getRegistration();
  if (!worker) return false;
  await worker.showNotification(title, { body: shown });
  return true;
}

/** Run one of them. @param {string} name @param {any} args @returns {Promise<{ ok: boolean, content?: any, error?: string }>} */
export async function run(name, args) {
  const tool = TOOLS.find((one) => one.define.name === name && one.can());
  if (!tool) return { ok: false, error: say("phone.unknown") };
  try {
    return { ok: true, content: await tool.run(args || {}) };
  } catch (error) {
    if (!(error instanceof Refused)) console.error(error);
    return { ok: false, error: error instanceof Refused ? error.message : say("phone.broke") };
  }
}
