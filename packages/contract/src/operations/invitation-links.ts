import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

const ofSpace = '/space/{spaceId}/invitation/link'
const ofBase = '/base/{baseId}/invitation/link'

export const invitationLinkRoutes: FeatureRoutes<'invitationLinks'> = {
  createSpaceLink: {
    ...post(ofSpace),
    purpose:
      'Makes a link by which everybody who has it takes a role in a space, until it expires or is revoked. The role is no stronger than that of the caller.',
    example: { spaceId: '{spaceId}', role: 'editor' },
  },
  listSpaceLinks: {
    ...get(ofSpace),
    purpose:
      'Lists the links by which people can join a space now: in which role, made by whom, until when, and how many have joined by each.',
    example: { spaceId: '{spaceId}' },
  },
  changeSpaceLink: {
    ...patch(`${ofSpace}/{invitationId}`),
    purpose:
      'Gives an invitation link to a space another role, for those who join by it from then on. Its code is another one then: what was passed on before gives no stronger role.',
    example: { spaceId: '{spaceId}', invitationId: '{spaceLinkId}', role: 'commenter' },
  },
  revokeSpaceLink: {
    ...del(`${ofSpace}/{invitationId}`),
    purpose:
      'Revokes an invitation link to a space: nobody joins by it any more. Who has joined stays.',
    example: { spaceId: '{spaceId}', invitationId: '{spaceLinkId}' },
  },
  createBaseLink: {
    ...post(ofBase),
    purpose:
      'Makes a link by which everybody who has it takes a role in one base, until it expires or is revoked. The role is no stronger than that of the caller.',
    example: { baseId: '{baseId}', role: 'viewer' },
  },
  listBaseLinks: {
    ...get(ofBase),
    purpose:
      'Lists the links by which people can join a base now: in which role, made by whom, until when, and how many have joined by each.',
    example: { baseId: '{baseId}' },
  },
  changeBaseLink: {
    ...patch(`${ofBase}/{invitationId}`),
    purpose:
      'Gives an invitation link to a base another role, for those who join by it from then on. Its code is another one then: what was passed on before gives no stronger role.',
    example: { baseId: '{baseId}', invitationId: '{baseLinkId}', role: 'commenter' },
  },
  revokeBaseLink: {
    ...del(`${ofBase}/{invitationId}`),
    purpose:
      'Revokes an invitation link to a base: nobody joins by it any more. Who has joined stays.',
    example: { baseId: '{baseId}', invitationId: '{baseLinkId}' },
  },
}
