import { describeDriver } from "../driver-contract.js";
import { reference } from "./maker-subjects.js";

describeDriver("reference", reference());
