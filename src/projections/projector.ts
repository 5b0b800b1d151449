import type { GroupName } from './engine/groups.ts';
import { type ProjectionGroup, projectionGroupOf } from './engine/projection.ts';
import { type Notice, type RunnerDeps, startRunner } from './engine/runner.ts';
import { type MainSettings, mainGroup } from './mainGroup.ts';
import { usageGroup } from './usageGroup.ts';

/** What a logger has to do; pino's does. */
type Log = Readonly<{
  info: (details: object, message: string) => void;
  warn: (details: object, message: string) => void;
  error: (details: object, message: string) => void;
}>;

export type ProjectorDeps = Omit<RunnerDeps, 'onNotice'> &
  Readonly<{
    log: Log;
    /** Called when the read models of a group were built again. */
    onRebuilt?: (group: GroupName) => void;
  }> &
  MainSettings;

/** The running groups of projections of one node. */
export type Projector = Readonly<{
  /** Ends after the batches that are under way, and frees their locks. */
  stop: () => Promise<void>;
}>;

/** The groups of projections, by name. */
export const projectionGroupsOf = (settings: MainSettings): Record<GroupName, ProjectionGroup> => ({
  main: projectionGroupOf(mainGroup(settings)),
  usage: projectionGroupOf(usageGroup),
});

type Line = readonly [level: keyof Log, message: string, details?: object];

const lineOf = (notice: Notice): Line => {
  switch (notice.kind) {
    case 'leading':
      return ['info', 'Projection started'];
    case 'following':
      return ['info', 'Another node runs the projection; standing by'];
    case 'caughtUp':
      return ['info', 'Up to date'];
    case 'stopped':
      return ['info', 'Projection stopped'];
    case 'outdated':
      return ['warn', 'Read models have a newer version', { version: notice.version, running: notice.running }];
    case 'rebuilding': {
      const { position, events } = notice.progress;
      return ['info', 'Rebuilding read models', { position: String(position), events }];
    }
    case 'rebuilt':
      return ['info', 'Rebuilt read models are active'];
    case 'storeDiffers':
      return ['warn', 'Rebuilding read models from the first event', { reason: notice.reason }];
    case 'parked': {
      const { stream, revision, type, reason } = notice.event;
      return ['error', 'An event could not be projected; its stream is stalled', { stream, revision, type, reason }];
    }
    case 'lost':
      return ['warn', 'Projection failed; retrying', { err: notice.error, retryInMs: notice.retryInMs }];
  }
};

const write = (notice: Notice, log: Log): void => {
  const [level, message, details] = lineOf(notice);
  log[level]({ group: notice.group, ...details }, message);
};

/** Runs every group of projections, on whichever node gets its lock first. */
export const startProjector = ({ digest, signInRetentionDays, log, onRebuilt, ...deps }: ProjectorDeps): Projector => {
  const runners = Object.values(projectionGroupsOf({ digest, signInRetentionDays })).map((group) =>
    startRunner(group, {
      ...deps,
      onNotice: (notice) => {
        write(notice, log);
        if (notice.kind === 'rebuilt') onRebuilt?.(notice.group);
      },
    }),
  );
  return {
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
};
