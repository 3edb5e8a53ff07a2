import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { requireAccount } from '../../accounts/users/account-guard.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema, toFreeName } from '../../values/names.ts'
import { addSpace } from '../add-space.ts'
import { spaceName, toSpaceName } from '../space.ts'

/** Creates a space with the caller as its owner. A name that they gave another space is numbered. */
export const createSpace = defineWrite({
  summary: 'Create a space',
  input: z.object({ name: nameSchema.optional() }),
  output: spaceName,
  access: signedIn({ action: 'space|create', everywhere: true }),
  run: async ({ tx, userId, now, ids }, { name = 'Space' }) => {
    // Held until the end: another of their creations must see the name that this one takes.
    requireAccount(await tx.users.find(userId, 'update'))
    const mine = await tx.spaces.listOf(userId)
    // Not the role of an owner counts, which others can give: they must not use up what this user has.
    const created = mine.filter(({ space }) => space.createdBy === userId)
    if (created.length >= limits.spacesPerUser) {
      throw new DomainError(
        'restricted_resource',
        `You have created ${created.length} spaces, which is the maximum: delete one first`,
      )
    }
    const names = new Set(mine.map(({ space }) => space.name))
    const space = await addSpace(
      { tx, now, ids },
      { userId, name: toFreeName(name, (candidate) => names.has(candidate)) },
    )
    return toSpaceName(space)
  },
})
