import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../../limits.ts'

const minuteMs = 60_000
const newPassword = 'Another-password-2'

describeOnEveryStorage('a password that was forgotten', (storage) => {
  let world: World
  let ada: Person
  let mailer: KeptMail
  let failures: unknown[]

  beforeEach(async () => {
    mailer = new KeptMail()
    failures = []
    const mail = {
      mailer,
      publicUrl: 'https://tables.example.com/',
      onFailure: (error: unknown) => failures.push(error),
    }
    world = await openWorld(storage, { mail })
    ada = await world.newPerson('Ada')
  })
  afterEach(() => world.close())

  const accounts = () => world.engine.public.accounts
  const ask = (email = ada.email) => accounts().sendPasswordReset({ email })
  const reset = (code: string, password = newPassword) =>
    accounts().resetPassword({ code, password })
  const signIn = (password: string) => accounts().signIn({ email: ada.email, password })
  /** The code in the newest mail. */
  const codeOf = (text = mailer.mails.at(-1)?.text ?? '') => /^usr.*$/m.exec(text)?.[0] ?? ''
  const wrong = { code: 'invalid_captcha' }

  test('[ACCOUNT-46] is refused a code where the address has no account, without a word of it', async () => {
    await world.engine.ensureUser({ id: 'crm-1', name: 'Cy', email: 'cy@example.com' })
    for (const email of ['nobody@example.com', 'cy@example.com']) {
      expect(await ask(email)).toEqual(await ask())
    }
    expect(mailer.mails.map(({ to }) => to)).toEqual([ada.email, ada.email])
  })

  test('[ACCOUNT-46] answers before the mail is sent, and tells the operator where it could not be', async () => {
    mailer.failsAfter = 0
    await ask()
    expect(failures).toMatchObject([{ code: 'failed_dependency' }])
  })

  test('[ACCOUNT-37] mails five codes to an address in 15 minutes, whether it has an account or not', async () => {
    for (const email of [ada.email, 'nobody@example.com']) {
      for (let n = 0; n < limits.mailsPerEmail; n++) await ask(email)
      await expect(ask(email)).rejects.toMatchObject({ code: 'too_many_requests' })
    }
    expect(mailer.mails).toHaveLength(limits.mailsPerEmail)
  })

  test('[ACCOUNT-47] sets a new one by the code of the mail, once, and ends all sessions', async () => {
    await ask()
    expect(mailer.mails[0]?.text).toContain(
      `https://tables.example.com/#reset-password=${codeOf()}`,
    )
    await reset(codeOf())
    expect(await world.engine.authenticate(ada.accessToken)).toBeUndefined()
    await expect(signIn(testPassword)).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await signIn(newPassword)).toMatchObject({ id: ada.userId })
    await expect(reset(codeOf(), 'A-third-password-3')).rejects.toMatchObject(wrong)
  })

  test('[ACCOUNT-47] sets one for a user whom an embedding program has named, whatever the name is', async () => {
    const [id, email] = ['crm-4.2_b', 'crm@example.com']
    await world.engine.ensureUser({ id, name: 'Cy', email })
    await world.engine.as({ userId: id }).accounts.addPassword({ password: testPassword })
    await ask(email)
    const code = /^crm-4.*$/m.exec(mailer.mails.at(-1)?.text ?? '')?.[0] ?? ''
    await reset(code)
    expect(await accounts().signIn({ email, password: newPassword })).toMatchObject({ id })
  })

  test('[ACCOUNT-47] of many who use one code at once, one sets a password', async () => {
    await ask()
    const passwords = Array.from({ length: 5 }, (_, n) => `A-password-number-${n}`)
    const outcomes = await Promise.allSettled(
      passwords.map((password) => reset(codeOf(), password)),
    )
    const set = passwords.filter((_, n) => outcomes[n]?.status === 'fulfilled')
    expect(set).toHaveLength(1)
    expect(await signIn(set[0] ?? '')).toMatchObject({ id: ada.userId })
  })

  test('[ACCOUNT-47] refuses a code after its time, and one of before the password was changed', async () => {
    await ask()
    const first = codeOf()
    await ada.api.accounts.changePassword({ password: testPassword, newPassword: 'Changed-pass-1' })
    await expect(reset(first)).rejects.toMatchObject(wrong)
    await ask()
    world.clock.advance(limits.passwordResetMinutes * minuteMs)
    await expect(reset(codeOf())).rejects.toMatchObject(wrong)
    world.clock.advance(-1)
    await reset(codeOf())
  })

  test('[ACCOUNT-47] refuses a code whose user, time or signature is another', async () => {
    const bob = await world.newPerson('Bob')
    await ask()
    const [userId = '', expires = '', signature = ''] = codeOf().split('.')
    const later = String(Number(expires) + 1)
    for (const parts of [
      [bob.userId, expires, signature],
      [userId, later, signature],
      [userId, `0${expires}`, signature],
      [userId, expires, signature.replace(/^./, (first) => (first === '0' ? '1' : '0'))],
      [userId, expires, signature, ''],
      [userId, expires],
      ['usr\u0000', expires, signature],
      [userId, '9'.repeat(15), signature],
    ]) {
      await expect(reset(parts.join('.'))).rejects.toMatchObject({
        code: 'invalid_captcha',
      })
    }
    expect(await signIn(testPassword)).toMatchObject({ id: ada.userId })
  })

  test('[ACCOUNT-47] ends a lock by failed sign-ins', async () => {
    for (let n = 0; n < limits.signInFailuresPerAccount; n++) {
      await expect(signIn('wrong')).rejects.toMatchObject({ code: 'invalid_credentials' })
    }
    await expect(signIn(testPassword)).rejects.toMatchObject({ code: 'too_many_requests' })
    await ask()
    await reset(codeOf())
    expect(await signIn(newPassword)).toMatchObject({ id: ada.userId })
  })

  test('[ACCOUNT-8] takes no password that nobody could set', async () => {
    await ask()
    await expect(reset(codeOf(), 'short')).rejects.toMatchObject({ code: 'validation_error' })
    await reset(codeOf())
  })
})

describeOnEveryStorage('an instance without a mailer', (storage) => {
  let world: World

  beforeEach(async () => {
    world = await openWorld(storage)
  })
  afterEach(() => world.close())

  test('[ACCOUNT-49] sets no password and no address by mail', async () => {
    const { email, api } = await world.newPerson('Ada')
    const refused = { code: 'restricted_resource' }
    await expect(world.engine.public.accounts.sendPasswordReset({ email })).rejects.toMatchObject(
      refused,
    )
    await expect(
      api.accounts.sendChangeEmailCode({ email: 'new@example.com', password: testPassword }),
    ).rejects.toMatchObject(refused)
  })
})
