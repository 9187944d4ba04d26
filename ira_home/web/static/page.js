// @ts-check
// What every page starts.
import { compareClocks } from "./connect.js";
import { countDown } from "./countdown.js";
import { comfort } from "./forms.js";
import { follow } from "./live.js";
import { clearOut } from "./store.js";
import { trust } from "./trust.js";

comfort();
clearOut();
compareClocks();
countDown();
follow();
trust();
