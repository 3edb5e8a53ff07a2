import type { Step } from '../scripts/script.ts'

/** The part of the beginning of scripts that makes links by which people join, pins and visits. */
export const invitingAndPinning: readonly Omit<Step, 'place'>[] = [
  // Who is there already accepts one of the links.
  { operation: 'invitationLinks.createBaseLink', actor: 0, args: { place: 1, role: 'viewer' } },
  { operation: 'accounts.acceptInvitationLink', actor: 2, args: { link: 0, isRight: true } },
  ...(['changeBaseLink', 'revokeBaseLink'] as const).map((name) => ({
    operation: `invitationLinks.${name}` as const,
    actor: 0,
    args: { place: 1, link: 0, role: 'editor' },
  })),
  ...(['createSpaceLink', 'changeSpaceLink', 'revokeSpaceLink'] as const).map((name) => ({
    operation: `invitationLinks.${name}` as const,
    actor: 0,
    args: { place: 0, link: 0, role: 'commenter' },
  })),
  {
    operation: 'collaborators.changeBaseCollaborator',
    actor: 0,
    args: { place: 1, person: 2, role: 'viewer' },
  },
  // Two pins of the first person, and what they opened last.
  ...(['base', 'node'] as const).map((kind) => ({
    operation: 'pins.addPin' as const,
    actor: 0,
    args: { meant: { kind, ref: 0 } },
  })),
  {
    operation: 'pins.movePin',
    actor: 0,
    args: {
      ...{ meant: { kind: 'node', ref: 0 }, anchor: { kind: 'base', ref: 0 } },
      position: 'before',
    },
  },
  { operation: 'pins.removePin', actor: 0, args: { meant: { kind: 'node', ref: 0 } } },
  { operation: 'lastVisits.noteLastVisit', actor: 0, args: { base: 0, node: 0, view: 0 } },
]
