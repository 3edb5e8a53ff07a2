import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const collaboratorRoutes: FeatureRoutes<'collaborators'> = {
  listSpaceCollaborators: get('/space/{spaceId}/collaborators'),
  addSpaceCollaborators: post('/space/{spaceId}/collaborator', 200),
  changeSpaceCollaborator: patch('/space/{spaceId}/collaborators'),
  removeSpaceCollaborator: del('/space/{spaceId}/collaborators'),
  listBaseCollaborators: get('/base/{baseId}/collaborators'),
  addBaseCollaborators: post('/base/{baseId}/collaborator', 200),
  changeBaseCollaborator: patch('/base/{baseId}/collaborators'),
  removeBaseCollaborator: del('/base/{baseId}/collaborators'),
}
