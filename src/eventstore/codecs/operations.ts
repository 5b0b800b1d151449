import { z } from 'zod';
import type { OperationsEvent } from '../../domain/operations/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { text, textOrNull } from './fields.ts';

export const operationsCodec: CategoryCodec<OperationsEvent> = {
  ownerOf: () => null,
  events: {
    ServerStarted: first(
      z.strictObject({ version: text, replaced: textOrNull, roles: z.array(z.enum(['api', 'projector', 'embedded'])) }),
    ),
    ReadModelsRebuilt: first(z.strictObject({ group: z.enum(['main', 'usage']) })),
  },
};
