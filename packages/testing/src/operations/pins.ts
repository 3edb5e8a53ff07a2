import fc from 'fast-check'
import { position, ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'

/** Something of a base, or the base or its space. */
interface Meant {
  readonly kind: 'space' | 'base' | 'node' | 'view'
  readonly ref: Ref
}

const meant = fc.record({ kind: fc.constantFrom('space', 'base', 'node', 'node', 'view'), ref })

function toResource({ kind, ref }: Meant, { spaces, bases, nodes, tables }: ScriptState) {
  if (kind === 'space') return { type: kind, id: spaces.idOf(ref) }
  if (kind === 'base') return { type: kind, id: bases.idOf(ref) }
  if (kind === 'view') return { type: kind, id: tables.find(0)?.views.idOf(ref) ?? 'unknown' }
  const { resourceType: type = 'table', resourceId: id = 'unknown' } = nodes.find(ref) ?? {}
  return { type, id }
}

const onResource = {
  args: fc.record({ meant }),
  toInput: ({ meant }: { readonly meant: Meant }, known: ScriptState) => toResource(meant, known),
}

export const pinOperations: ScriptedFeature<'pins'> = {
  listPins: scripted({ weight: 1, args: fc.constant({}) }),
  addPin: scripted({ weight: 1, ...onResource }),
  removePin: scripted({ weight: 0.5, ...onResource }),
  movePin: scripted({
    weight: 0.5,
    args: fc.record({ meant, anchor: meant, position }),
    toInput: (
      { meant, anchor, position }: { meant: Meant; anchor: Meant; position: string },
      known,
    ) => {
      const { type: anchorType, id: anchorId } = toResource(anchor, known)
      return { ...toResource(meant, known), anchorType, anchorId, position }
    },
  }),
}

interface VisitArgs {
  readonly base: Ref
  readonly node: Ref
  readonly view: Ref
}

export const lastVisitOperations: ScriptedFeature<'lastVisits'> = {
  noteLastVisit: scripted({
    weight: 1,
    args: fc.record({ base: ref, node: ref, view: ref }),
    toInput: ({ base, node, view }: VisitArgs, known) => {
      const { resourceType = 'table', resourceId = 'unknown' } = known.nodes.find(node) ?? {}
      const table = known.tableOf(resourceId)
      return {
        ...{ resourceType, resourceId, parentResourceId: known.bases.idOf(base) },
        ...(table && { childResourceId: table.views.find(view)?.id ?? null }),
      }
    },
  }),
  getLastVisit: scripted({
    weight: 0.5,
    args: fc.record({ base: ref, type: fc.constantFrom('table', 'folder', 'dashboard') }),
    toInput: ({ base, type }: { base: Ref; type: string }, { bases }) => ({
      resourceType: type,
      parentResourceId: bases.idOf(base),
    }),
  }),
  getLastVisitedNode: scripted({
    weight: 0.5,
    args: fc.record({ base: ref }),
    toInput: ({ base }: { base: Ref }, { bases }) => ({ parentResourceId: bases.idOf(base) }),
  }),
}
