import { openSignUp, type SignUpPolicy } from '@gateleg/domain/accounts/sign-up/sign-up-policy'
import { DomainError } from '@gateleg/domain/errors'
import { openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { newCast, newPlace } from '@gateleg/testing/worlds/place'
import { testPassword } from '@gateleg/testing/worlds/world'
import { expect, test } from 'vitest'

const failing = async (): Promise<never> => {
  throw new DomainError('failed_dependency', 'The service failed')
}
const failed = { status: 424, code: 'failed_dependency' }

// Every answer is held against the description of its operation, too: see `checkAnswer`.
describeOnEveryStorage('operations whose services fail', (storage) => {
  test('[CONTRACT-6] [HTTP-20] those that invite by mail are answered 424, as described', async () => {
    const world = await openHttpWorld(storage, {
      ports: { mail: { mailer: { send: failing } } },
    })
    const cast = await newCast(world)
    const { spaceId, baseId } = await newPlace(cast)
    const body = { emails: ['new@example.com'], role: 'viewer' }
    for (const place of [`space/${spaceId}`, `base/${baseId}`]) {
      const request = { method: 'POST', path: `/api/${place}/invitation/email`, body }
      expect((await world.sendAs(cast.owner, request)).json()).toMatchObject(failed)
    }
    await world.close()
  })

  test.each<[string, object, Partial<SignUpPolicy>]>([
    [
      'signup',
      { password: testPassword, turnstileToken: 'x' },
      { humanCheck: { isHuman: failing } },
    ],
    ['send-signup-verification-code', {}, { codeMailer: { send: failing } }],
  ])(
    '[CONTRACT-6] [HTTP-20] signing up (%s) is answered 424, as described',
    async (path, more, policy) => {
      const signUpPolicy = { ...openSignUp, ...policy }
      const world = await openHttpWorld(storage, { ports: { signUpPolicy } })
      const body = { email: 'new@example.com', ...more }
      const answer = await world.send({ method: 'POST', path: `/api/auth/${path}`, body })
      expect(answer.json()).toMatchObject(failed)
      await world.close()
    },
  )
})
