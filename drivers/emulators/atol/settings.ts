/** Switches of the emulated service: facts that the maker's manual marks as unconfirmed. The first value is the default. */
export const emulatorSettings = {
  /** DELETE of a job that runs: [AWS] 405, [KS] 409. The first generation always answers 405. */
  deleteRunning: ["409", "405"],
  /** A request to a device that is switched off in the service: [KS] 409, [PHP] 403. */
  inactive: ["409", "403"],
  /** `result` of a task without one: [AWS] null, [KS] no such key. */
  result: ["null", "omitted"],
  /** What becomes of the rest of a job after its unblocked task. */
  restOfJob: ["interrupted", "executed"],
  /**
   * The fate of a running job when the service is killed. `lost`: it stays in progress for ever. `late`: the service
   * goes on with the queue, and takes the job up again a second later.
   */
  killed: ["recovered", "lost", "late"],
  /** Tag 1125 by `customParameters`: taken, or not understood and left out. */
  internet: ["parameter", "ignored"],
  /** `params` of beginMarkingCodeValidation. */
  markingParams: ["object", "list"],
  /** A receipt that was registered and not printed stops the queue (`blockQueueOnPrintErrors`). */
  blockOnPrintErrors: ["false", "true"],
  /** HTTP Basic with the user `cashier` and the password `secret`. */
  basic: ["off", "on"],
  /** Name of the register in the service. */
  device: ["kkt-1", "kkt-2"],
} as const;

export type SettingName = keyof typeof emulatorSettings;
export type Settings = (name: SettingName) => string;
