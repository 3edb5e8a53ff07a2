import { z } from 'zod'
import { passwordSchema } from '../../accounts/passwords/password.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { defineWrite } from '../../use-case.ts'
import { reserveShareGuess, takeShareGuessBack } from '../password-tries.ts'
import { onFoundShare } from '../share-guard.ts'
import { shareId } from '../share-query.ts'
import { toShareToken } from '../share-token.ts'

const found = onFoundShare()

/** Answers a token to whoever gives the password of a share: it stands for the password from then on. */
export const proveSharePassword = defineWrite({
  summary: 'Open a share with its password',
  input: z.object({ shareId, password: passwordSchema }),
  output: z.object({ token: z.string().describe('Stands for the password, for a day') }),
  answers: 'secret',
  access: found,
  needs: ['passwords', 'secrets'],
  // Outside of transactions, since a password is slow to check.
  prepare: async ({ store, passwords, actor, now, origin }, input) => {
    const { share } = (await store.read((tx) => found.enter(tx, actor, input))).scope
    const { passwordHash } = share
    if (passwordHash === null) {
      throw invalidAt(['password'], 'must be left out: this share has no password')
    }
    const guess = { now, origin, shareId: input.shareId }
    await store.write((tx) => reserveShareGuess(tx, guess))
    const isRight = await passwords.verify(passwordHash, input.password).catch(async (error) => {
      // Nobody has looked at the password: that the service is busy must lock nobody out.
      await store.write((tx) => takeShareGuessBack(tx, guess))
      throw error
    })
    if (!isRight) throw wrongPassword()
    return { passwordHash }
  },
  run: async ({ tx, now, origin, secrets, share, prepared }, { shareId }) => {
    const { passwordTag, passwordHash } = share
    // It may have been changed in between.
    if (passwordTag === null || passwordHash !== prepared.passwordHash) throw wrongPassword()
    await takeShareGuessBack(tx, { now, origin, shareId })
    return { token: toShareToken({ secrets }, { shareId, passwordTag }, now) }
  },
})

function wrongPassword(): DomainError {
  return new DomainError('invalid_credentials', 'The password is wrong')
}
