import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { scheduleNewName } from '../../calculations/jobs/show-new-name.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import { initialsAvatar } from '../users/initials-avatar.ts'

/** Renames the caller. */
export const changeName = defineWrite({
  summary: 'Change my name',
  input: z.object({ name: nameSchema }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  run: async ({ tx, user, userId, now }, { name }) => {
    if (name === user.name) return
    // A picture of the old initials becomes one of the new; any other stays.
    const isOfInitials = user.avatar === initialsAvatar(user)
    const avatar = isOfInitials ? initialsAvatar({ id: userId, name }) : user.avatar
    await tx.users.update({ ...user, name, avatar, version: user.version + 1 })
    await scheduleNewName({ tx, now }, userId)
    tx.emit({ name: 'user.updated', time: now, userId, payload: { userId } })
  },
})
