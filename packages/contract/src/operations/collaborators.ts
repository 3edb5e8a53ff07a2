import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const collaboratorRoutes: FeatureRoutes<'collaborators'> = {
  listSpaceCollaborators: {
    ...get('/space/{spaceId}/collaborators'),
    purpose: 'Lists who has a role in a space, page by page.',
    example: { spaceId: '{spaceId}', take: 2 },
  },
  addSpaceCollaborators: {
    ...post('/space/{spaceId}/collaborator', 200),
    purpose: 'Gives users who have an account a role in a space.',
    example: {
      spaceId: '{spaceId}',
      collaborators: [{ principalId: '{strangerId}', principalType: 'user' }],
      role: 'editor',
    },
  },
  inviteToSpace: {
    ...post('/space/{spaceId}/invitation/email'),
    purpose:
      'Gives people a role in a space by their mail addresses: those who have an account join at once, others are mailed an invitation where mail is configured.',
    example: { spaceId: '{spaceId}', emails: ['{strangerEmail}'], role: 'editor' },
  },
  inviteToBase: {
    ...post('/base/{baseId}/invitation/email'),
    purpose:
      'Gives people a role in one base by their mail addresses: those who have an account join at once, others are mailed an invitation where mail is configured.',
    example: { baseId: '{baseId}', emails: ['{strangerEmail}'], role: 'editor' },
  },
  changeSpaceCollaborator: {
    ...patch('/space/{spaceId}/collaborators'),
    purpose: 'Gives a collaborator of a space another role.',
    example: {
      spaceId: '{spaceId}',
      principalId: '{memberId}',
      principalType: 'user',
      role: 'commenter',
    },
  },
  removeSpaceCollaborator: {
    ...del('/space/{spaceId}/collaborators'),
    purpose: "Takes a collaborator's role in a space away.",
    example: { spaceId: '{spaceId}', principalId: '{memberId}', principalType: 'user' },
  },
  listBaseCollaborators: {
    ...get('/base/{baseId}/collaborators'),
    purpose: 'Lists who has a role in a base, given there or in its space, page by page.',
    example: { baseId: '{baseId}', take: 2 },
  },
  listBaseUsers: {
    ...get('/base/{baseId}/collaborators/users'),
    purpose:
      'Lists the people of a base, each once, to choose from for cells of users and for mentions, page by page.',
    example: { baseId: '{baseId}', take: 2 },
  },
  addBaseCollaborators: {
    ...post('/base/{baseId}/collaborator', 200),
    purpose: 'Gives users who have an account a role in one base.',
    example: {
      baseId: '{baseId}',
      collaborators: [{ principalId: '{strangerId}', principalType: 'user' }],
      role: 'editor',
    },
  },
  changeBaseCollaborator: {
    ...patch('/base/{baseId}/collaborators'),
    purpose: 'Gives a collaborator of a base another role there.',
    example: {
      baseId: '{baseId}',
      principalId: '{memberId}',
      principalType: 'user',
      role: 'commenter',
    },
  },
  removeBaseCollaborator: {
    ...del('/base/{baseId}/collaborators'),
    purpose: "Takes a collaborator's role in a base away.",
    example: { baseId: '{baseId}', principalId: '{memberId}', principalType: 'user' },
  },
  listSpaceInvitations: {
    ...get('/space/{spaceId}/invitation/email'),
    purpose:
      'Lists the invitations to a space that were mailed and not accepted yet: who was invited, with which role, by whom, and until when.',
    example: { spaceId: '{spaceId}' },
  },
  withdrawSpaceInvitation: {
    ...del('/space/{spaceId}/invitation/email/{invitationId}'),
    purpose: 'Withdraws an open invitation to a space: the link in its mail stops working.',
    example: { spaceId: '{spaceId}', invitationId: '{spaceInvitationId}' },
  },
  listBaseInvitations: {
    ...get('/base/{baseId}/invitation/email'),
    purpose:
      'Lists the invitations to a base that were mailed and not accepted yet: who was invited, with which role, by whom, and until when.',
    example: { baseId: '{baseId}' },
  },
  withdrawBaseInvitation: {
    ...del('/base/{baseId}/invitation/email/{invitationId}'),
    purpose: 'Withdraws an open invitation to a base: the link in its mail stops working.',
    example: { baseId: '{baseId}', invitationId: '{baseInvitationId}' },
  },
}
