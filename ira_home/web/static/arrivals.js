// @ts-check
// While the phones are brought in, whoever looks on sees at once which of them have come.
import { refresh } from "./dom.js";

const EVERY_MS = 3000;

const look = () => refresh("/address/arrivals", (one) => one.id === "arrivals").catch(() => {}).then(later);

function later() {
  setTimeout(() => (document.hidden ? later() : look()), EVERY_MS);
}

later();
