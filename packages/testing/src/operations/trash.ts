import fc from 'fast-check'
import { ref, some } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

interface TrashAnswer {
  readonly trashItems?: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

interface TrashArgs {
  readonly place: Ref
  readonly ofBase: boolean
  readonly cursor?: Ref
  readonly pageSize?: number
}

const trashArgs = fc
  .tuple(
    fc.record({ place: ref, ofBase: fc.boolean() }),
    some({ cursor: ref, pageSize: fc.integer({ min: 1, max: 21 }) }),
  )
  .map(([place, page]): TrashArgs => ({ ...place, ...page }))

function toInput({ place, ofBase, cursor, ...page }: TrashArgs, known: ScriptState) {
  const { bases, tables, trashCursors } = known
  return {
    resourceType: ofBase ? 'base' : 'table',
    resourceId: (ofBase ? bases : tables).idOf(place),
    ...page,
    ...(cursor !== undefined && { cursor: trashCursors.at(cursor) ?? 'none' }),
  }
}

function learn(known: ScriptState, { trashItems = [], nextCursor }: TrashAnswer): void {
  for (const { id } of trashItems) known.trash.add({ id })
  if (nextCursor !== null) known.trashCursors.push(nextCursor)
}

const oneEntry = {
  args: fc.record({ entry: ref }),
  toInput: ({ entry }: { readonly entry: Ref }, { trash }: ScriptState) => ({
    trashId: trash.idOf(entry),
  }),
}

export const trashOperations: ScriptedFeature<'trash'> = {
  listTrash: scripted({
    weight: 1,
    args: fc.record(
      { resourceType: fc.constantFrom('space', 'base'), space: ref },
      { requiredKeys: ['resourceType'] },
    ),
    toInput: ({ resourceType, space }: { resourceType: string; space?: Ref }, { spaces }) => ({
      resourceType,
      ...(space !== undefined && { spaceId: spaces.idOf(space) }),
    }),
    learn,
  }),
  listTrashItems: scripted({ weight: 3, args: trashArgs, toInput, learn }),
  resetTrash: scripted({ weight: 0.3, args: trashArgs, toInput, learn }),
  restoreTrash: scripted({
    weight: 3,
    ...oneEntry,
    learn: (known, _answer, { trashId }) => known.trash.drop(String(trashId)),
  }),
  purgeTrashEntry: scripted({
    weight: 2,
    ...oneEntry,
    learn: (known, _answer, { trashId }) => known.trash.drop(String(trashId)),
  }),
}

/** What the operations take depends on whose trash it is, and on what was deleted. */
export const trashSamples: SamplesIn<'trash'> = ({ baseId, tableId, trashId }) => {
  const ofBase = { resourceId: baseId, resourceType: 'base' }
  const ofTable = { resourceId: tableId, resourceType: 'table' }
  return {
    listTrash: { input: { resourceType: 'base' } },
    listTrashItems: [
      { about: 'base', input: ofBase },
      { about: 'table', input: ofTable },
    ],
    resetTrash: [
      {
        about: 'base',
        input: ofBase,
        actions: ['table|delete', 'automation|delete', 'base|update'],
      },
      { about: 'table', input: ofTable, actions: ['table|trash_reset'] },
    ],
    restoreTrash: {
      about: 'record',
      input: { trashId },
      actions: ['table|trash_update', 'record|create'],
    },
    purgeTrashEntry: { about: 'record', input: { trashId }, actions: ['table|trash_reset'] },
  }
}
