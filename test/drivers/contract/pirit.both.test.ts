import { describeDriver } from "../driver-contract.js";
import { pirit } from "./maker-subjects.js";

describeDriver("pirit", pirit({ model: "viki-print-80" }));
describeDriver("pirit 1.2", pirit({ model: "viki-print-57", ffd: 4 }));
