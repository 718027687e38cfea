/**
 * V8 would let its space of new objects grow to 32 MB while the program starts, but a receipt makes about 2 MB of
 * objects. It would collect old objects only when they are several times those in use. Memory that the heap once had
 * is seldom given back. Import this file first.
 */
import { setFlagsFromString } from "node:v8";

// A thread of the program, as after a crash, ends this for the whole process: a busy daemon then has 24 MB more.
setFlagsFromString("--semi-space-growth-factor=1");
// Old objects are collected when they are half as many again as those in use.
setFlagsFromString("--heap-growing-percent=50");
