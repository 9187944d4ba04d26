// @ts-check
// Ringing aloud. A browser makes no sound before somebody has touched the page.
import { decide } from "./phone-sheet.js";

const HIGH_HZ = 880;
const LOW_HZ = 660;
const NOTE_S = 0.35;
const BUZZ_MS = [400, 200];

/** @type {AudioContext | null} */
let audio = null;

/** Take a touch as leave to make sound. */
export async function allowSound() {
  audio ??= new AudioContext();
  await audio.resume();
  return mayRing();
}

/** Whether this page may make sound now. */
export function mayRing() {
  return audio?.state === "running";
}

/** Ring until somebody stops it or the time is over. @param {number} seconds @returns {Promise<boolean>} whether it rings */
export async function ring(seconds) {
  if (!audio || !mayRing()) return false;
  const loud = audio.createGain();
  loud.gain.value = 0.8;
  loud.connect(audio.destination);
  const bell = audio.createOscillator();
  bell.type = "square";
  const from = audio.currentTime;
  for (let at = 0; at < seconds; at += NOTE_S) {
    bell.frequency.setValueAtTime(Math.round(at / NOTE_S) % 2 ? LOW_HZ : HIGH_HZ, from + at);
  }
  bell.connect(loud);
  bell.start();
  bell.stop(from + seconds);
  const buzz = BUZZ_MS[0] + BUZZ_MS[1];
  navigator.vibrate?.(Array.from({ length: Math.ceil((seconds * 1000) / buzz) }, () => BUZZ_MS).flat());
  decide("phone-ringing", ({ done }) => { bell.onended = () => done(null); }, seconds * 1000).then(() => {
    bell.onended = null;
    bell.stop();
    navigator.vibrate?.(0);
  });
  return true;
}
