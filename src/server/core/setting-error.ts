/** A setting that prevents the start. The message names it and the expected value. */
export class SettingError extends Error {}
