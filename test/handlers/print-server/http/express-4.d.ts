/** Express 4 has no types of its own here; what the tests use of it is as in Express 5. */
declare module "express-4" {
  import express from "express";
  export = express;
}
