import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own in memory. */
export type SmallDisk = Readonly<{
  path: string;
  /** Takes every byte that is left. */
  fill: () => void;
  free: () => void;
  close: () => void;
}>;

/** A disk of so many KiB; null where this user may not mount one. */
export const mountSmallDisk = (kibibytes: number): SmallDisk | null => {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=0700`, 'tmpfs', path], { stdio: 'ignore' });
  if (status !== 0) {
    rmSync(path, { recursive: true });
    return null;
  }
  const filling = join(path, 'filling');
  return {
    path,
    fill: () => {
      const fd = openSync(filling, 'w');
      try {
        for (;;) writeSync(fd, Buffer.alloc(4096));
      } catch {
        closeSync(fd); // Now it is full.
      }
    },
    free: () => rmSync(filling, { force: true }),
    close: () => {
      spawnSync('umount', ['-l', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
};
