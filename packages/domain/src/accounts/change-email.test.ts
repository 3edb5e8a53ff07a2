import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import { describeOnEveryStorage, type TestPorts } from '@gateleg/testing/test-engine'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { openSignUp } from './sign-up/sign-up-policy.ts'

const email = 'ada@new.example.com'

describeOnEveryStorage('another e-mail address', (storage) => {
  let world: World
  let ada: Person
  let mailer: KeptMail

  beforeEach(async () => {
    mailer = new KeptMail()
    world = await openWorld(storage, { mail: { mailer } })
    ada = await world.newPerson('Ada')
  })
  afterEach(() => world.close())

  const ask = (person = ada, input: object = {}) =>
    person.api.accounts.sendChangeEmailCode({ email, password: testPassword, ...input })
  const signIn = (address: string) =>
    world.engine.public.accounts.signIn({ email: address, password: testPassword })
  const wrong = { code: 'invalid_captcha' }

  test('[ACCOUNT-48] is refused a code without the password, and for an address that is taken', async () => {
    const bob = await world.newPerson('Bob')
    await expect(ask(ada, { password: 'wrong' })).rejects.toMatchObject({
      code: 'invalid_credentials',
    })
    await expect(ask(ada, { email: bob.email.toUpperCase() })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('choose another address'),
    })
    await expect(ask(ada, { email: ada.email })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('the address of your account'),
    })
    await expect(ask(ada, { email: 'ada@user.invalid' })).rejects.toMatchObject({
      code: 'validation_error',
    })
    expect(mailer.mails).toEqual([])
  })

  test('[ACCOUNT-80] takes a code once, even after the address was changed back', async () => {
    const { token } = await ask()
    const { code } = mailer
    const given = { email, token, code }
    await ada.api.accounts.changeEmail(given)
    const back = await ask(ada, { email: ada.email })
    await ada.api.accounts.changeEmail({ email: ada.email, ...back, code: mailer.code })
    await expect(ada.api.accounts.changeEmail(given)).rejects.toMatchObject(wrong)
    await signIn(ada.email)
  })

  test('[ACCOUNT-48] counts wrong passwords as failed sign-ins', async () => {
    for (let n = 0; n < limits.signInFailuresPerAccount; n++) {
      await expect(ask(ada, { password: 'wrong' })).rejects.toMatchObject({
        code: 'invalid_credentials',
      })
    }
    await expect(ask()).rejects.toMatchObject({ code: 'too_many_requests' })
    await expect(signIn(ada.email)).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test('[ACCOUNT-48] is that of the account once the code of its mail was sent, and the old one is told', async () => {
    const { token } = await ask()
    expect(mailer.mails.map(({ to }) => to)).toEqual([email])
    await ada.api.accounts.changeEmail({ email, token, code: mailer.code })
    expect(mailer.mails.map(({ to }) => to)).toEqual([email, ada.email])
    expect(await ada.api.accounts.getMe({})).toMatchObject({ email })
    expect(await signIn(email)).toMatchObject({ id: ada.userId })
    await expect(signIn(ada.email)).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await world.engine.authenticate(ada.accessToken)).toBeDefined()
  })

  test('[ACCOUNT-35] takes a code for the address and the user for whom it was mailed, and for nothing else', async () => {
    const bob = await world.newPerson('Bob')
    const { token } = await ask()
    const { code } = mailer
    const { token: another } = await ask()
    const { code: anotherCode } = mailer
    const change = (person: Person, input: object) =>
      person.api.accounts.changeEmail({ email, token, code, ...input })
    await expect(change(bob, {})).rejects.toMatchObject(wrong)
    await expect(change(ada, { email: 'eve@example.com' })).rejects.toMatchObject(wrong)
    await expect(change(ada, { code: '000000' })).rejects.toMatchObject(wrong)
    await change(ada, {})
    // Once more, by another code, it changes nothing, and nobody is told.
    const told = mailer.mails.length
    await change(ada, { token: another, code: anotherCode })
    await expect(change(ada, {})).rejects.toMatchObject(wrong)
    expect(mailer.mails).toHaveLength(told)
  })

  test('[ACCOUNT-35] a code for a sign-up changes no address, and the other way round', async () => {
    const signUpPolicy = { ...openSignUp, codeMailer: mailer }
    await world.close()
    world = await openWorld(storage, { mail: { mailer }, signUpPolicy })
    const { accounts } = world.engine.public
    const password = testPassword
    const first = await accounts.sendSignUpCode({ email: ada.email })
    const verification = { token: first.token, code: mailer.code }
    const { id: userId } = await accounts.signUp({ email: ada.email, password, verification })
    const { accounts: own } = world.engine.as({ userId })
    const change = await own.sendChangeEmailCode({ email, password })
    const ofChange = { token: change.token, code: mailer.code }
    await expect(
      accounts.signUp({ email, password, verification: ofChange }),
    ).rejects.toMatchObject(wrong)
    const signUp = await accounts.sendSignUpCode({ email })
    await expect(
      own.changeEmail({ email, token: signUp.token, code: mailer.code }),
    ).rejects.toMatchObject(wrong)
    await own.changeEmail({ email, ...ofChange })
  })

  test('[ACCOUNT-48] an address that somebody took meanwhile stays theirs', async () => {
    const { token } = await ask()
    const { code } = mailer
    await world.engine.public.accounts.signUp({ email, password: testPassword })
    await expect(ada.api.accounts.changeEmail({ email, token, code })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await ada.api.accounts.getMe({})).toMatchObject({ email: ada.email })
  })

  test('[ACCOUNT-48] tells the old address nothing of a change that could not be kept', async () => {
    let writesLeft = Number.POSITIVE_INFINITY
    await world.close()
    const failing = {
      name: storage.name,
      open: (ports?: TestPorts) =>
        storage.open(ports, (store) => ({
          ...store,
          giveWay: () => store.giveWay(),
          read: (work, options) => store.read(work, options),
          write: (work, options) =>
            store.write(async (tx) => {
              const result = await work(tx)
              if (--writesLeft < 0) throw new Error('the disk is full')
              return result
            }, options),
        })),
    }
    world = await openWorld(failing, { mail: { mailer } })
    ada = await world.newPerson('Ada')
    const { token } = await ask()
    const sent = mailer.mails.length
    // The code is tried in a transaction of its own.
    writesLeft = 1
    await expect(ada.api.accounts.changeEmail({ email, token, code: mailer.code })).rejects.toThrow(
      'the disk is full',
    )
    expect(mailer.mails).toHaveLength(sent)
  })

  test('[ACCOUNT-47] ends a code for a new password', async () => {
    await world.engine.public.accounts.sendPasswordReset({ email: ada.email })
    const [reset = ''] = /^usr.*$/m.exec(mailer.mails[0]?.text ?? '') ?? []
    const { token } = await ask()
    await ada.api.accounts.changeEmail({ email, token, code: mailer.code })
    await expect(
      world.engine.public.accounts.resetPassword({ code: reset, password: 'A-new-password-9' }),
    ).rejects.toMatchObject(wrong)
  })
})
