// @ts-check
// What every page starts.
import { countDown } from "./countdown.js";
import { comfort } from "./forms.js";
import { follow } from "./live.js";

comfort();
countDown();
follow();
