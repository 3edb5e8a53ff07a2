import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, expect, test } from 'vitest'
import { anonymous } from '../../access/actor.ts'
import { DomainError } from '../../errors.ts'
import type { HumanCheck } from './human-check.ts'
import { openSignUp, type SignUpPolicy } from './sign-up-policy.ts'

const minuteMs = 60_000

/** Believes the token `human`, once, and says what it was asked. */
class OneHuman implements HumanCheck {
  readonly asked: unknown[] = []
  isOutOfReach = false
  #isUsed = false

  async isHuman(token: string, address: string | undefined): Promise<boolean> {
    this.asked.push([token, address])
    if (this.isOutOfReach) throw new DomainError('failed_dependency', 'out of reach')
    const isHuman = token === 'human' && !this.#isUsed
    this.#isUsed ||= isHuman
    return isHuman
  }
}

describeOnEveryStorage('who may sign up', (storage) => {
  let world: World

  const open = async (policy: Partial<SignUpPolicy>) => {
    world = await openWorld(storage, { signUpPolicy: { ...openSignUp, ...policy } })
    return world.engine.public.accounts
  }
  const openWithMail = async () => {
    const mailer = new KeptMail()
    return { mailer, accounts: await open({ codeMailer: mailer }) }
  }
  const signUp = (input: object = {}, options = {}) =>
    world.engine.public.accounts.signUp(
      { email: 'ada@example.com', password: testPassword, ...input },
      options,
    )
  /** A code for Ada's address, as it may be sent. */
  const askForCode = async (mailer: KeptMail, email = 'ada@example.com') => {
    const { token } = await world.engine.public.accounts.sendSignUpCode({ email })
    return { token, code: mailer.code }
  }
  const wrongCodeOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  afterEach(() => world.close())

  test('[ACCOUNT-31] lets nobody in when it is closed', async () => {
    const mailer = new KeptMail()
    const { sendSignUpCode } = await open({ closed: true, codeMailer: mailer })
    await expect(signUp()).rejects.toMatchObject({ code: 'restricted_resource' })
    await expect(sendSignUpCode({ email: 'ada@example.com' })).rejects.toMatchObject({
      code: 'restricted_resource',
    })
    expect(mailer.mails).toEqual([])
  })

  test('[ACCOUNT-32] refuses a sign-up without a token that passes the human check', async () => {
    const humanCheck = new OneHuman()
    const mailer = new KeptMail()
    const { sendSignUpCode } = await open({ humanCheck, codeMailer: mailer })
    for (const turnstileToken of [undefined, '', 'robot']) {
      const input = turnstileToken === undefined ? {} : { turnstileToken }
      const refusal = { code: 'invalid_captcha' }
      await expect(signUp(input)).rejects.toMatchObject(refusal)
      await expect(sendSignUpCode({ email: 'ada@example.com', ...input })).rejects.toMatchObject(
        refusal,
      )
    }
    expect(mailer.mails).toEqual([])
    expect(humanCheck.asked).toHaveLength(2)
  })

  test('[ACCOUNT-32] refuses everybody while the human check is out of reach', async () => {
    const humanCheck = new OneHuman()
    await open({ humanCheck })
    humanCheck.isOutOfReach = true
    const turnstileToken = 'human'
    await expect(signUp({ turnstileToken })).rejects.toMatchObject({ code: 'failed_dependency' })
    humanCheck.isOutOfReach = false
    expect(await signUp({ turnstileToken })).toMatchObject({ isAdmin: true })
  })

  test('[ACCOUNT-32] tells the human check the address of the socket', async () => {
    const humanCheck = new OneHuman()
    await open({ humanCheck })
    await signUp({ turnstileToken: 'human' }, { origin: { address: '192.0.2.1' } })
    expect(humanCheck.asked).toEqual([['human', '192.0.2.1']])
  })

  test('[ACCOUNT-10] [ACCOUNT-32] asks for no other human check where the key was used', async () => {
    await open({ humanCheck: new OneHuman() })
    const options = { idempotencyKey: 'k1' }
    await signUp({ turnstileToken: 'human' }, options)
    await expect(signUp({ turnstileToken: 'human' }, options)).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('[ACCOUNT-33] mails a code to who has none, and signs up with it', async () => {
    const { mailer } = await openWithMail()
    const refusal = await signUp({}, { idempotencyKey: 'k1' }).catch((error) => error)
    expect(refusal).toMatchObject({
      code: 'unprocessable_entity',
      data: { token: expect.any(String), expiresTime: '2026-01-01T00:15:00.000Z' },
    })
    expect(mailer.mails).toMatchObject([{ to: 'ada@example.com' }])
    const { code } = mailer
    const verification = { code, token: refusal.data.token }
    expect(await signUp({ verification })).toMatchObject({ email: 'ada@example.com' })
  })

  test('[ACCOUNT-33] shows the code to nobody but the receiver of the mail', async () => {
    const { mailer } = await openWithMail()
    const refusal = await signUp().catch((error) => error)
    expect(mailer.code).toMatch(/^\d{6}$/)
    const { token, ...rest } = refusal.data
    expect(JSON.stringify([rest, refusal.message])).not.toContain(mailer.code)
    await expect(signUp({ verification: { code: '', token } })).rejects.toMatchObject({
      code: 'invalid_captcha',
    })
  })

  test('[ACCOUNT-34] gives a code beforehand, where one is needed', async () => {
    const { mailer } = await openWithMail()
    await signUp({ verification: await askForCode(mailer) })
    await world.close()
    const { sendSignUpCode } = await open({})
    await expect(sendSignUpCode({ email: 'ada@example.com' })).rejects.toMatchObject({
      code: 'restricted_resource',
    })
  })

  test('[ACCOUNT-35] takes no code of another address', async () => {
    const { mailer } = await openWithMail()
    const verification = await askForCode(mailer)
    await expect(signUp({ email: 'eve@example.com', verification })).rejects.toMatchObject({
      code: 'invalid_captcha',
    })
    await signUp({ verification })
  })

  test('[ACCOUNT-35] takes no code under the token of another', async () => {
    const { mailer } = await openWithMail()
    const first = await askForCode(mailer)
    const second = await askForCode(mailer)
    const mixed = { code: second.code, token: first.token }
    if (first.code !== second.code) {
      await expect(signUp({ verification: mixed })).rejects.toMatchObject({
        code: 'invalid_captcha',
      })
    }
    await expect(signUp({ verification: { ...first, token: 'made up' } })).rejects.toMatchObject({
      code: 'invalid_captcha',
    })
    await signUp({ verification: second })
  })

  test('[ACCOUNT-35] takes no code after 15 minutes', async () => {
    const { mailer } = await openWithMail()
    const verification = await askForCode(mailer)
    world.clock.advance(15 * minuteMs)
    await expect(signUp({ verification })).rejects.toMatchObject({ code: 'invalid_captcha' })
  })

  test('[ACCOUNT-35] takes no code after five wrong tries, made at once or not', async () => {
    const { mailer } = await openWithMail()
    const verification = await askForCode(mailer)
    const wrong = { ...verification, code: wrongCodeOf(verification.code) }
    const refusal = { code: 'invalid_captcha' }
    await Promise.all(
      [1, 2, 3, 4, 5].map(() =>
        expect(signUp({ verification: wrong })).rejects.toMatchObject(refusal),
      ),
    )
    await expect(signUp({ verification })).rejects.toMatchObject(refusal)
  })

  test('[ACCOUNT-35] takes a code after four wrong tries, and only once', async () => {
    const { mailer } = await openWithMail()
    const verification = await askForCode(mailer)
    const wrong = { ...verification, code: wrongCodeOf(verification.code) }
    for (let round = 0; round < 4; round++) {
      await expect(signUp({ verification: wrong })).rejects.toMatchObject({
        code: 'invalid_captcha',
      })
    }
    const results = await Promise.allSettled([signUp({ verification }), signUp({ verification })])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('[ACCOUNT-80] takes a code once, even where the account of the address has ended', async () => {
    const { mailer } = await openWithMail()
    await signUp({
      email: 'root@example.com',
      verification: await askForCode(mailer, 'root@example.com'),
    })
    const verification = await askForCode(mailer)
    const { id: userId } = await signUp({ verification })
    const ada = world.engine.as({ userId })
    await ada.accounts.deleteAccount({ password: testPassword })
    await expect(signUp({ verification })).rejects.toMatchObject({ code: 'invalid_captcha' })
    await signUp({ verification: await askForCode(mailer) })
  })

  test('[ACCOUNT-80] leaves a code good where the sign-up is refused', async () => {
    const mailer = new KeptMail()
    await open({ codeMailer: mailer, inviteOnly: true })
    await signUp({
      email: 'root@example.com',
      verification: await askForCode(mailer, 'root@example.com'),
    })
    const verification = await askForCode(mailer)
    await expect(signUp({ verification })).rejects.toMatchObject({ code: 'validation_error' })
    await expect(signUp({ verification })).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('[ACCOUNT-36] lets nobody in while mail is out of reach', async () => {
    const { mailer, accounts } = await openWithMail()
    mailer.failsAfter = 0
    const refusal = { code: 'failed_dependency' }
    await expect(signUp()).rejects.toMatchObject(refusal)
    await expect(accounts.sendSignUpCode({ email: 'ada@example.com' })).rejects.toMatchObject(
      refusal,
    )
    await expect(signUp({ verification: { code: '000000', token: '' } })).rejects.toMatchObject({
      code: 'invalid_captcha',
    })
  })

  test('[ACCOUNT-37] mails five codes to an address in 15 minutes', async () => {
    const { mailer, accounts } = await openWithMail()
    const ask = () => accounts.sendSignUpCode({ email: 'ada@example.com' })
    const results = await Promise.allSettled(Array.from({ length: 12 }, ask))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(mailer.mails).toHaveLength(5)
    await expect(signUp()).rejects.toMatchObject({
      code: 'too_many_requests',
      data: { retryAfterSeconds: 900 },
    })
    world.clock.advance(15 * minuteMs)
    await ask()
  })

  test('[ACCOUNT-37] mails twenty codes asked for from one address', async () => {
    const { mailer, accounts } = await openWithMail()
    const origin = { address: '192.0.2.1' }
    for (let round = 0; round < 21; round++) {
      const email = `user${round}@example.com`
      const asked = accounts.sendSignUpCode({ email }, { origin })
      if (round === 20) await expect(asked).rejects.toMatchObject({ code: 'too_many_requests' })
      else await asked
    }
    expect(mailer.mails).toHaveLength(20)
  })

  test('[ACCOUNT-37] mails no code to a registered address', async () => {
    const { mailer, accounts } = await openWithMail()
    await signUp({ verification: await askForCode(mailer) })
    const refusal = { code: 'conflict' }
    await expect(signUp()).rejects.toMatchObject(refusal)
    await expect(accounts.sendSignUpCode({ email: 'ADA@example.com' })).rejects.toMatchObject(
      refusal,
    )
    expect(mailer.mails).toHaveLength(1)
  })

  /** A world by invitation only, with its administrator. */
  const openByInvitation = async () => {
    await open({ inviteOnly: true })
    const { id } = await signUp({ email: 'admin@example.com' })
    return world.engine.as({ userId: id }).accounts
  }

  test('[ACCOUNT-38] refuses a sign-up without a good invitation code', async () => {
    await openByInvitation()
    for (const input of [{}, { inviteCode: '' }, { inviteCode: 'made up' }]) {
      await expect(signUp(input)).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: [{ path: ['inviteCode'] }] },
      })
    }
  })

  test('[ACCOUNT-38] lets in as many as a code has uses, however many come at once', async () => {
    const admin = await openByInvitation()
    const { code: inviteCode } = await admin.createInviteCode({ uses: 3 })
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        signUp({ email: `user${index}@example.com`, inviteCode }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  test('[ACCOUNT-39] gives a use back when the sign-up fails', async () => {
    const admin = await openByInvitation()
    const { code: inviteCode } = await admin.createInviteCode({})
    await expect(signUp({ email: 'admin@example.com', inviteCode })).rejects.toMatchObject({
      code: 'conflict',
    })
    await signUp({ inviteCode })
    await expect(signUp({ email: 'bob@example.com', inviteCode })).rejects.toThrow('inviteCode')
  })

  test('[ACCOUNT-40] lets the first user in, and only the first', async () => {
    await open({ inviteOnly: true })
    const results = await Promise.allSettled(
      [1, 2, 3].map((number) => signUp({ email: `user${number}@example.com` })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('[ACCOUNT-38] takes no notice of codes where none are asked for', async () => {
    await open({})
    await signUp({
      inviteCode: 'made up',
      turnstileToken: 'x',
      verification: { code: '', token: '' },
    })
  })

  test('[ACCOUNT-41] lets the administrator alone make codes, by session', async () => {
    const admin = await openByInvitation()
    const { code: inviteCode, ...rest } = await admin.createInviteCode({ uses: 1_000 })
    expect(rest).toEqual({ id: expect.stringMatching(/^ivc/), uses: 1_000 })
    const { id } = await signUp({ inviteCode })
    const adminId = (await admin.getMe({})).id
    const refusal = { code: 'restricted_resource' }
    await expect(
      world.engine.as({ userId: id }).accounts.createInviteCode({}),
    ).rejects.toMatchObject(refusal)
    await expect(
      world.engine
        .as({ kind: 'token', userId: adminId, tokenId: 'acc1', scopes: new Set() })
        .accounts.createInviteCode({}),
    ).rejects.toMatchObject(refusal)
    await expect(world.engine.as(anonymous).accounts.createInviteCode({})).rejects.toMatchObject({
      code: 'unauthorized',
    })
    for (const uses of [0, 1_001, 1.5]) {
      await expect(admin.createInviteCode({ uses })).rejects.toMatchObject({
        code: 'validation_error',
      })
    }
  })
})
