/** Processor time that this thread takes for a work, in us: other work on the machine matters little. */
export async function threadUs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
