import fc from 'fast-check'
import { icon, name, position, ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

/** An operation on one base that takes nothing else. */
const onBase = {
  args: fc.record({ base: ref }),
  toInput: ({ base }: { readonly base: Ref }, { bases }: ScriptState) => ({
    baseId: bases.idOf(base),
  }),
}

export const baseOperations: ScriptedFeature<'bases'> = {
  createBase: scripted({
    weight: 1.5,
    args: fc.record({ space: ref, name, icon }, { requiredKeys: ['space'] }),
    toInput: ({ space, ...rest }, { spaces }) => ({ spaceId: spaces.idOf(space), ...rest }),
    learn: (known, { id, spaceId }: { readonly id: string; readonly spaceId: string }) =>
      known.bases.add({ id, spaceId }),
  }),
  listBases: scripted({
    weight: 1,
    args: fc.record({ space: ref }),
    toInput: ({ space }, { spaces }) => ({ spaceId: spaces.idOf(space) }),
  }),
  listAllBases: scripted({ weight: 1, args: fc.constant({}) }),
  listSharedBases: scripted({ weight: 0.5, args: fc.constant({}) }),
  getBase: scripted({ weight: 1, ...onBase }),
  updateBase: scripted({
    weight: 1.5,
    args: fc.record({ base: ref, name, icon }, { requiredKeys: ['base'] }),
    toInput: ({ base, ...rest }, { bases }) => ({ baseId: bases.idOf(base), ...rest }),
  }),
  moveBase: scripted({
    weight: 1.5,
    args: fc.record({ base: ref, anchor: ref, position }),
    toInput: ({ base, anchor, position }, { bases }) => ({
      baseId: bases.idOf(base),
      anchorId: bases.idOf(anchor),
      position,
    }),
  }),
  moveBaseToSpace: scripted({
    weight: 0.7,
    args: fc.record({ base: ref, space: ref }),
    toInput: ({ base, space }, { bases, spaces }) => ({
      baseId: bases.idOf(base),
      spaceId: spaces.idOf(space),
    }),
    learn: (known, _answer, { baseId, spaceId }) =>
      known.bases.add({ id: String(baseId), spaceId: String(spaceId) }),
  }),
  duplicateBase: scripted({
    weight: 1,
    args: fc.record(
      { base: ref, space: ref, name, withRecords: fc.boolean() },
      { requiredKeys: ['base', 'space'] },
    ),
    toInput: ({ base, space, ...rest }, { bases, spaces }) => ({
      fromBaseId: bases.idOf(base),
      spaceId: spaces.idOf(space),
      ...rest,
    }),
    learn: (known, { id, spaceId }: { readonly id: string; readonly spaceId: string }) =>
      known.bases.add({ id, spaceId }),
  }),
  deleteBase: scripted({
    weight: 0.4,
    args: onBase.args,
    toInput: ({ base }: { readonly base: Ref }, { bases }) => ({ baseId: bases.idOfLater(base) }),
    learn: (known, _answer, { baseId }) => known.dropBase(String(baseId)),
  }),
  deleteBasePermanently: scripted({
    weight: 0.4,
    args: onBase.args,
    toInput: ({ base }: { readonly base: Ref }, { bases }) => ({ baseId: bases.idOfLater(base) }),
    learn: (known, _answer, { baseId }) => known.dropBase(String(baseId)),
  }),
  getBasePermissions: scripted({ weight: 0.5, ...onBase }),
  getBaseDiagram: scripted({ weight: 1, ...onBase }),
  verifyBase: scripted({ weight: 1, ...onBase }),
}

export const baseSamples: SamplesIn<'bases'> = ({ spaceId, baseId, otherBaseId }) => {
  const inSpace = (more: object = {}): Sample => ({ input: { spaceId, ...more } })
  const inBase = (more: object = {}): Sample => ({ input: { baseId, ...more } })
  return {
    createBase: inSpace({ name: 'New' }),
    listBases: inSpace(),
    listAllBases: { input: {} },
    listSharedBases: { input: {} },
    getBase: inBase(),
    updateBase: inBase({ name: 'Renamed' }),
    moveBase: inBase({ anchorId: otherBaseId, position: 'after' }),
    moveBaseToSpace: inBase({ spaceId }),
    duplicateBase: inSpace({ fromBaseId: baseId }),
    deleteBase: inBase(),
    deleteBasePermanently: inBase(),
    getBasePermissions: inBase(),
    getBaseDiagram: inBase(),
    verifyBase: inBase(),
  }
}
