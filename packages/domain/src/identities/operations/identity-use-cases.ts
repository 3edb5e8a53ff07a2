import { finishSignIn } from './finish-sign-in.ts'
import { listIdentities, listSignInProviders, unlinkIdentity } from './list-identities.ts'
import { startLinking } from './start-linking.ts'
import { startSignIn } from './start-sign-in.ts'

/** Those about signing in by a login provider: a part of `useCases`. */
export const identityUseCases = {
  listSignInProviders,
  startSignIn,
  finishSignIn,
  startLinking,
  listIdentities,
  unlinkIdentity,
} as const
