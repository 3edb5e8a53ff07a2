import fc from 'fast-check'
import { name, ref, role } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import {
  type ScriptedFeature,
  type ScriptedOperation,
  scripted,
} from '../scripts/scripted-operation.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

interface PlaceArgs {
  /** The space or the base. */
  readonly place: Ref
}

type ToPlace = (known: ScriptState, place: Ref) => object

const toSpace: ToPlace = ({ spaces }, place) => ({ spaceId: spaces.idOf(place) })
const toBase: ToPlace = ({ bases }, place) => ({ baseId: bases.idOf(place) })

const page = { skip: fc.nat({ max: 2 }), take: fc.integer({ min: 1, max: 3 }), search: name }

function toPrincipal({ people }: ScriptState, person: Ref) {
  return { principalId: people.idOf(person), principalType: 'user' }
}

function listing(toPlace: ToPlace): ScriptedOperation {
  return scripted({
    weight: 1,
    args: fc.record({ place: ref, ...page }, { requiredKeys: ['place'] }),
    toInput: ({ place, ...rest }: PlaceArgs, known) => ({ ...toPlace(known, place), ...rest }),
  })
}

function adding(toPlace: ToPlace): ScriptedOperation {
  return scripted({
    weight: 1.5,
    args: fc.record({ place: ref, people: fc.array(ref, { maxLength: 3 }), role }),
    toInput: (
      { place, people, role }: PlaceArgs & { people: readonly Ref[]; role: string },
      known,
    ) => ({
      ...toPlace(known, place),
      collaborators: people.map((person) => toPrincipal(known, person)),
      role,
    }),
  })
}

function changing(toPlace: ToPlace): ScriptedOperation {
  return scripted({
    weight: 1,
    args: fc.record({ place: ref, person: ref, role }),
    toInput: ({ place, person, role }: PlaceArgs & { person: Ref; role: string }, known) => ({
      ...toPlace(known, place),
      ...toPrincipal(known, person),
      role,
    }),
  })
}

function removing(toPlace: ToPlace): ScriptedOperation {
  return scripted({
    weight: 1,
    args: fc.record({ place: ref, person: ref }),
    toInput: ({ place, person }: PlaceArgs & { person: Ref }, known) => ({
      ...toPlace(known, place),
      ...toPrincipal(known, person),
    }),
  })
}

function inviting(toPlace: ToPlace): ScriptedOperation {
  return scripted({
    weight: 2.5,
    args: fc.record({ place: ref, people: fc.array(ref, { maxLength: 2 }), role }),
    toInput: (
      { place, people, role }: PlaceArgs & { people: readonly Ref[]; role: string },
      known,
    ) => ({
      ...toPlace(known, place),
      emails: people.map((person) => known.people.find(person)?.email ?? 'nobody@example.com'),
      role,
    }),
  })
}

/** Nobody mails invitations here: there is none to list, and none to withdraw. */
function listingInvitations(toPlace: ToPlace): ScriptedOperation {
  return scripted({
    weight: 1,
    args: fc.record({ place: ref }),
    toInput: ({ place }: PlaceArgs, known) => toPlace(known, place),
  })
}

function withdrawing(toPlace: ToPlace): ScriptedOperation {
  return scripted({
    weight: 0.2,
    args: fc.record({ place: ref, invitationId: name }),
    toInput: ({ place, invitationId }: PlaceArgs & { invitationId: string }, known) => ({
      ...toPlace(known, place),
      invitationId,
    }),
  })
}

export const collaboratorOperations: ScriptedFeature<'collaborators'> = {
  listSpaceCollaborators: listing(toSpace),
  addSpaceCollaborators: adding(toSpace),
  inviteToSpace: inviting(toSpace),
  inviteToBase: inviting(toBase),
  changeSpaceCollaborator: changing(toSpace),
  removeSpaceCollaborator: removing(toSpace),
  listBaseCollaborators: listing(toBase),
  listBaseUsers: listing(toBase),
  addBaseCollaborators: adding(toBase),
  changeBaseCollaborator: changing(toBase),
  removeBaseCollaborator: removing(toBase),
  listSpaceInvitations: listingInvitations(toSpace),
  withdrawSpaceInvitation: withdrawing(toSpace),
  listBaseInvitations: listingInvitations(toBase),
  withdrawBaseInvitation: withdrawing(toBase),
}

export const collaboratorSamples: SamplesIn<'collaborators'> = (place, { member, stranger }) => {
  const { spaceId, baseId } = place
  const inSpace = (more: object = {}): Sample => ({ input: { spaceId, ...more } })
  const inBase = (more: object = {}): Sample => ({ input: { baseId, ...more } })
  const principal = (userId: string) => ({ principalId: userId, principalType: 'user' })
  return {
    listSpaceCollaborators: inSpace(),
    addSpaceCollaborators: inSpace({
      collaborators: [principal(stranger.userId)],
      role: 'viewer',
    }),
    inviteToSpace: inSpace({ emails: [stranger.email], role: 'viewer' }),
    inviteToBase: inBase({ emails: [stranger.email], role: 'viewer' }),
    changeSpaceCollaborator: inSpace({ ...principal(member.userId), role: 'commenter' }),
    removeSpaceCollaborator: inSpace(principal(member.userId)),
    listBaseCollaborators: inBase(),
    listBaseUsers: inBase(),
    addBaseCollaborators: inBase({ collaborators: [principal(stranger.userId)], role: 'viewer' }),
    changeBaseCollaborator: inBase({ ...principal(member.userId), role: 'commenter' }),
    listSpaceInvitations: inSpace(),
    withdrawSpaceInvitation: inSpace({ invitationId: place.spaceInvitationId }),
    listBaseInvitations: inBase(),
    withdrawBaseInvitation: inBase({ invitationId: place.baseInvitationId }),
    removeBaseCollaborator: inBase(principal(member.userId)),
  }
}
