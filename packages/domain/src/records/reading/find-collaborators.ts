import type { Base } from '../../bases/base.ts'
import type { People } from '../../fields/cell.ts'
import type { ReadTx } from '../../store.ts'

/**
 * The people whom cells of the base may name: all who have a role in it. A text finds somebody by id,
 * else by e-mail address without regard to case, else by exact name; of several with one name the first
 * by id.
 */
export async function findCollaborators(tx: ReadTx, base: Base): Promise<People> {
  const users = await tx.users.listWithRoleIn(base.spaceId, base.id)
  const nameById = new Map(users.map(({ id, name }) => [id, name]))
  const idByEmail = new Map(users.map(({ id, email }) => [email.toLowerCase(), id]))
  const idByName = new Map(users.toReversed().map(({ id, name }) => [name, id]))
  return {
    name: (id) => nameById.get(id),
    find: (text) =>
      nameById.has(text) ? text : (idByEmail.get(text.toLowerCase()) ?? idByName.get(text)),
  }
}
