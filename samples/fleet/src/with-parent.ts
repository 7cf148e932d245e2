/** Ends a process with the one that has started it, also where that is killed. */
process.once('disconnect', () => process.exit());
process.channel?.unref();
