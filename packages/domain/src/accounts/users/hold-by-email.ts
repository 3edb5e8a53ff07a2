import type { WriteTx } from '../../store.ts'
import type { User } from './user.ts'

/**
 * The user whose account has the address, held for update: the address may be changed, or the account deleted, at the same
 * time, and what is written of a user who isn't held would undo that. Undefined where nobody has it.
 */
export async function holdByEmail(
  { users }: Pick<WriteTx, 'users'>,
  email: string,
): Promise<User | undefined> {
  const found = await users.findByEmail(email)
  const user = found && (await users.find(found.id, 'update'))
  return user?.email === email ? user : undefined
}
