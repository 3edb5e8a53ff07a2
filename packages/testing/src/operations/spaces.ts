import fc from 'fast-check'
import { name, ref, some } from '../scripts/arguments.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

/** Notes a space that an answer tells of. */
function learnSpace(known: ScriptState, { id }: { readonly id: string }): void {
  known.spaces.add({ id })
}

export const spaceOperations: ScriptedFeature<'spaces'> = {
  createSpace: scripted({ weight: 1, args: some({ name }), learn: learnSpace }),
  listSpaces: scripted({
    weight: 1,
    args: fc.constant({}),
    learn: (known, spaces: readonly { readonly id: string }[]) => {
      for (const space of spaces) learnSpace(known, space)
    },
  }),
  getSpace: scripted({
    weight: 1,
    args: fc.record({ space: ref }),
    toInput: ({ space }, { spaces }) => ({ spaceId: spaces.idOf(space) }),
  }),
  searchSpace: scripted({
    weight: 1,
    args: fc.record({ space: ref, search: name }),
    toInput: ({ space, search }, { spaces }) => ({ spaceId: spaces.idOf(space), search }),
  }),
  renameSpace: scripted({
    weight: 1,
    args: fc.record({ space: ref, name }),
    toInput: ({ space, name }, { spaces }) => ({ spaceId: spaces.idOf(space), name }),
  }),
  deleteSpace: scripted({
    weight: 0.3,
    args: fc.record({ space: ref }),
    toInput: ({ space }, { spaces }) => ({ spaceId: spaces.idOfLater(space) }),
    learn: (known, _answer, { spaceId }) => known.dropSpace(String(spaceId)),
  }),
  deleteSpacePermanently: scripted({
    weight: 0.15,
    args: fc.record({ space: ref }),
    toInput: ({ space }, { spaces }) => ({ spaceId: spaces.idOfLater(space) }),
    learn: (known, _answer, { spaceId }) => known.dropSpace(String(spaceId)),
  }),
}

export const spaceSamples: SamplesIn<'spaces'> = ({ spaceId }) => {
  const inSpace = (more: object = {}): Sample => ({ input: { spaceId, ...more } })
  return {
    createSpace: { input: {} },
    listSpaces: { input: {} },
    getSpace: inSpace(),
    searchSpace: inSpace({ search: 'a' }),
    renameSpace: inSpace({ name: 'Renamed' }),
    deleteSpace: inSpace(),
    deleteSpacePermanently: inSpace(),
  }
}
