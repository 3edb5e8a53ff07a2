import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const accountRoutes: FeatureRoutes<'accounts'> = {
  signUp: post('/auth/signup', 201, { cookie: 'opens' }),
  sendSignUpCode: post('/auth/send-signup-verification-code', 200),
  createInviteCode: post('/admin/invite-code'),
  signIn: post('/auth/signin', 200, { cookie: 'opens' }),
  signOut: post('/auth/signout', 200, { cookie: 'closes' }),
  getMe: get('/auth/user/me'),
  getUser: get('/auth/user'),
  changeName: patch('/user/name'),
  changePassword: patch('/auth/change-password', 201),
  listSessions: get('/auth/session'),
  revokeSession: del('/auth/session/{sessionId}'),
}
