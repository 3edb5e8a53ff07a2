import fc from 'fast-check'
import { ref, role } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import {
  type ScriptedFeature,
  type ScriptedOperation,
  scripted,
} from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

interface LinkArgs {
  /** The space or the base. */
  readonly place: Ref
  readonly link: Ref
  readonly role: string
}

interface LinkAnswer {
  readonly invitationId: string
  readonly invitationCode?: string
}

type Kind = 'space' | 'base'

function toPlace(kind: Kind, { spaces, bases }: ScriptState, place: Ref) {
  return kind === 'space' ? { spaceId: spaces.idOf(place) } : { baseId: bases.idOf(place) }
}

/** A link that was made, or whose role was changed: that gives it another code. */
function learn(
  known: ScriptState,
  { invitationId: id, invitationCode: code = '' }: LinkAnswer,
): void {
  known.invitationLinks.add({ id, code })
}

function creating(kind: Kind): ScriptedOperation {
  return scripted({
    weight: 1,
    args: fc.record({ place: ref, role }),
    toInput: ({ place, role }: Omit<LinkArgs, 'link'>, known) => ({
      ...toPlace(kind, known, place),
      role,
    }),
    learn,
  })
}

function listing(kind: Kind): ScriptedOperation {
  return scripted({
    weight: 0.5,
    args: fc.record({ place: ref }),
    toInput: ({ place }: Pick<LinkArgs, 'place'>, known) => toPlace(kind, known, place),
  })
}

function changing(kind: Kind): ScriptedOperation {
  return scripted({
    weight: 0.5,
    args: fc.record({ place: ref, link: ref, role }),
    toInput: ({ place, link, role }: LinkArgs, known) => ({
      ...toPlace(kind, known, place),
      invitationId: known.invitationLinks.idOf(link),
      role,
    }),
    learn,
  })
}

function revoking(kind: Kind): ScriptedOperation {
  return scripted({
    weight: 0.5,
    args: fc.record({ place: ref, link: ref }),
    toInput: ({ place, link }: Omit<LinkArgs, 'role'>, known) => ({
      ...toPlace(kind, known, place),
      invitationId: known.invitationLinks.idOf(link),
    }),
    learn: (known, _answer, { invitationId }) => known.invitationLinks.drop(String(invitationId)),
  })
}

export const invitationLinkOperations: ScriptedFeature<'invitationLinks'> = {
  createSpaceLink: creating('space'),
  listSpaceLinks: listing('space'),
  changeSpaceLink: changing('space'),
  revokeSpaceLink: revoking('space'),
  createBaseLink: creating('base'),
  listBaseLinks: listing('base'),
  changeBaseLink: changing('base'),
  revokeBaseLink: revoking('base'),
}

export const invitationLinkSamples: SamplesIn<'invitationLinks'> = ({
  spaceId,
  baseId,
  spaceLinkId,
  baseLinkId,
}) => {
  const ofSpace = { spaceId, invitationId: spaceLinkId }
  const ofBase = { baseId, invitationId: baseLinkId }
  return {
    createSpaceLink: { input: { spaceId, role: 'viewer' } },
    listSpaceLinks: { input: { spaceId } },
    changeSpaceLink: { input: { ...ofSpace, role: 'commenter' } },
    revokeSpaceLink: { input: ofSpace },
    createBaseLink: { input: { baseId, role: 'viewer' } },
    listBaseLinks: { input: { baseId } },
    changeBaseLink: { input: { ...ofBase, role: 'commenter' } },
    revokeBaseLink: { input: ofBase },
  }
}
