/** Preloaded into a gateway's process: its wall clock is off by what the parent tells, as after a step of the machine's clock. */

const RealDate = Date;
let offsetMs = 0;

class ShiftedDate extends RealDate {
  constructor(...parts: [] | [number | string | Date]) {
    if (parts.length === 0) super(ShiftedDate.now());
    else super(...(parts as [number]));
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;

process.on('message', (message) => {
  if (typeof message === 'object' && message !== null && 'clockOffsetMs' in message) {
    offsetMs = Number(message.clockOffsetMs);
  }
});
// Without the parent nobody would ever end this process.
process.on('disconnect', () => process.exit());
// The channel to it is no reason to go on living.
process.channel?.unref();
