import type { Backend } from "../backend.js";
import { type Call as HttpCall, type Operation as HttpOperation, operationsOf } from "../http/endpoint.js";

export type Operation = HttpOperation<Backend>;
export type Call<Query, Body> = HttpCall<Backend, Query, Body>;

export const { readOperation, writeOperation } = operationsOf<Backend>();
