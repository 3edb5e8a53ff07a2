import { admitSignUp } from '../../accounts/admit-sign-up.ts'
import { ownEmailSchema } from '../../accounts/email.ts'
import { addAccount, takeInvitation, toUserName } from '../../accounts/operations/add-account.ts'
import { DomainError } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import type { OpenIdClaims } from '../open-id-client.ts'
import { keepIdentity, type NewIdentity } from './keep-identity.ts'

type Context = CallContext & Pick<Ports, 'secrets' | 'signUpPolicy'> & { readonly tx: WriteTx }

/**
 * Makes an account for an identity that nobody has, and answers its id. Any owner of a space may add a provider that says
 * whatever they like, so an account that is there already is never found by what a provider says of addresses.
 */
export async function openAccount(
  context: Context,
  identity: NewIdentity,
  claims: OpenIdClaims,
  inviteCode: string | undefined,
): Promise<string> {
  const { tx, ids, signUpPolicy } = context
  await requireNoProof(context)
  const email = requireVerified(claims)
  if (await tx.users.findByEmail(email)) throw hasAccount(email)
  if (signUpPolicy.inviteOnly) await takeInvitation(context, inviteCode)
  const named = nameSchema.safeParse(claims.name)
  const name = named.data ?? toUserName(email)
  const account = { id: ids.next('user'), name, email }
  // Whoever a provider names never becomes the administrator.
  const rest = { passwordHash: undefined, isAdmin: false, refMeta: undefined }
  const { id } = await addAccount(context, { ...account, ...rest })
  await keepIdentity(context, identity, id)
  return id
}

/** Refuses where sign-up is closed, or takes a proof that no provider gives: it says what its owner wants it to say. */
async function requireNoProof(context: Context): Promise<void> {
  const { humanCheck, codeMailer, ...policy } = context.signUpPolicy
  await admitSignUp({ ...context, signUpPolicy: policy }, undefined)
  if (!humanCheck && !codeMailer) return
  throw new DomainError(
    'restricted_resource',
    'No account is made by a login provider here: sign in to the one that you have, or sign up with an address and a password, and link this identity then',
  )
}

function requireVerified({ email: sent, isEmailVerified }: OpenIdClaims): string {
  const email = ownEmailSchema.safeParse(sent)
  if (email.success && isEmailVerified) return email.data
  throw new DomainError(
    'restricted_resource',
    'The login provider told no e-mail address that it has verified to be yours: sign in to the account that you have, or sign up with an address and a password, and link this identity then',
  )
}

function hasAccount(email: string): DomainError {
  return new DomainError(
    'conflict',
    `"${email}" has an account already: sign in to it, and link this identity then`,
  )
}
