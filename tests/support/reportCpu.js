// Loaded by `--import` before a server that a test measures: reports the CPU time of the whole process, in microseconds.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.channel?.unref(); // so that the channel does not keep the process alive
