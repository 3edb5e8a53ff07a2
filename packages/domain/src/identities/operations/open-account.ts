import { addAccount, takeInvitation, toUserName } from '../../accounts/operations/add-account.ts'
import { admitSignUp } from '../../accounts/sign-up/admit-sign-up.ts'
import { DomainError } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { keepIdentity, type NewIdentity } from './keep-identity.ts'

type Context = CallContext & Pick<Ports, 'secrets' | 'signUpPolicy'> & { readonly tx: WriteTx }

/** Somebody whom a provider has named, and who has no account by that. */
interface Newcomer {
  /** Undefined where the provider tells none that it has verified. */
  readonly email: string | undefined
  /** Whether that is as good as a mailed code. */
  readonly isProven: boolean
  readonly name: string | undefined
  readonly inviteCode: string | undefined
}

/**
 * Makes an account for an identity that nobody has, and answers its id. `conflict` where the address has an account: any owner of a space
 * may add a provider that says whatever they like.
 */
export async function openAccount(
  context: Context,
  identity: NewIdentity,
  { email: told, isProven, name: said, inviteCode }: Newcomer,
): Promise<string> {
  const { tx, ids, signUpPolicy } = context
  await requireNoProof(context, isProven)
  const email = requireVerified(told)
  if (await tx.users.findByEmail(email)) throw hasAccount(email)
  if (signUpPolicy.inviteOnly) await takeInvitation(context, inviteCode)
  const named = nameSchema.safeParse(said)
  const name = named.data ?? toUserName(email)
  const account = { id: ids.next('user'), name, email, isEmailVerified: isProven }
  // Whoever a provider names never becomes the administrator.
  const rest = { passwordHash: undefined, isAdmin: false, refMeta: undefined }
  const { id } = await addAccount(context, { ...account, ...rest })
  await keepIdentity(context, identity, id)
  return id
}

/** Refuses where sign-up is closed, or takes a proof that the provider doesn't give. */
async function requireNoProof(context: Context, isProven: boolean): Promise<void> {
  const { humanCheck, codeMailer, ...policy } = context.signUpPolicy
  await admitSignUp({ ...context, signUpPolicy: policy }, undefined)
  if (!humanCheck && (!codeMailer || isProven)) return
  throw new DomainError(
    'restricted_resource',
    'No account is made by a login provider here: sign in to the one that you have, or sign up with an address and a password, and link this identity then',
  )
}

function requireVerified(email: string | undefined): string {
  if (email !== undefined) return email
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
