import vm from 'node:vm'
import type { Mail } from '@gateleg/domain/accounts/mail/mailer'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const browser = { Accept: 'text/html' }
const newcomer = 'new@example.com'

/** As much of an element as the script of the page uses. */
class FakeElement {
  hidden: boolean
  textContent = ''
  value = ''
  checked = false
  readonly #listeners = new Map<string, (event: object) => unknown>()

  constructor(isHidden: boolean) {
    this.hidden = isHidden
  }

  addEventListener(name: string, listener: (event: object) => unknown): void {
    this.#listeners.set(name, listener)
  }

  async fire(name: string): Promise<void> {
    await this.#listeners.get(name)?.({ preventDefault: () => undefined })
  }
}

describeOnEveryStorage('the links of mails', (storage) => {
  let world: HttpWorld
  let ada: Person
  let mails: Mail[]

  beforeEach(async () => {
    mails = []
    const mailer = { send: async (mail: Mail) => void mails.push(mail) }
    const publicUrl = 'https://tables.example.com'
    world = await openHttpWorld(storage, { ports: { mail: { mailer, publicUrl } } })
    ada = await world.newPerson('Ada')
    await ada.api.collaborators.inviteToSpace({
      spaceId: ada.spaceId,
      emails: [newcomer],
      role: 'editor',
    })
  })
  afterEach(() => world.close())

  /** Opens the link of the mail as a browser would, with a cookie jar of its own. */
  async function openPage(hash: string) {
    const page = await world.send({ method: 'GET', path: '/', headers: browser })
    const [, src = '', api = ''] =
      /<script src="([^"]+)" data-api="([^"]+)" defer>/.exec(page.text) ?? []
    const script = await world.send({ method: 'GET', path: `/${src}` })
    const ids = [...page.text.matchAll(/ id="([^"]+)"([^>]*)>/g)]
    const elements = new Map(
      ids.map(([, id = '', rest = '']) => [id, new FakeElement(rest.includes(' hidden'))]),
    )
    let cookie = ''
    const send = async (path: string, init: RequestInit) => {
      const headers = { ...(init.headers as object), ...(cookie && { Cookie: cookie }) }
      const answer = await fetch(`${world.url}/${path}`, { ...init, headers })
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return answer
    }
    vm.runInNewContext(script.text, {
      document: {
        currentScript: { dataset: { api } },
        getElementById: (id: string) => elements.get(id),
      },
      location: { hash },
      URLSearchParams,
      fetch: send,
      addEventListener: () => undefined,
    })
    const part = (name: string) => elements.get(`invitation${name}`) as FakeElement
    const newPassword = (name: string) => elements.get(`new-password${name}`) as FakeElement
    if (hash !== '') {
      await vi.waitFor(() => {
        const states = [part('-state'), newPassword('-state')]
        expect(states.map(({ textContent }) => textContent).join('')).not.toBe('')
      })
    }
    return { page, script, part, newPassword }
  }

  const hashOfMail = () => /#invitation=\S+/.exec(mails[0]?.text ?? '')?.[0] ?? ''
  const rolesInSpace = async () => {
    const { collaborators } = await ada.api.collaborators.listSpaceCollaborators({
      spaceId: ada.spaceId,
    })
    return Object.fromEntries(collaborators.map(({ userName, role }) => [userName, role]))
  }

  test('[HTTP-50] signs somebody new up and accepts, in the browser', async () => {
    const { page, script, part } = await openPage(hashOfMail())
    expect(page.headers['content-security-policy']).toContain("script-src 'self';")
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'")
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect([part('').hidden, part('-form').hidden]).toEqual([false, false])
    part('-email').value = newcomer
    part('-password').value = 'short'
    part('-is-new').checked = true
    await part('-form').fire('submit')
    expect(part('-state').textContent).toContain('password: must have at least 8 characters')
    part('-password').value = testPassword
    await part('-form').fire('submit')
    expect(part('-state').textContent).toBe(`Done: you are in the space ${ada.spaceId}.`)
    expect(part('-form').hidden).toBe(true)
    expect(await rolesInSpace()).toEqual({ ada: 'owner', new: 'editor' })
  })

  test('[HTTP-50] signs in, says what is wrong, and lets who is signed in accept', async () => {
    await world.newPerson('New')
    await world.newPerson('Eve')
    const { part } = await openPage(hashOfMail())
    part('-email').value = 'eve@example.com'
    part('-password').value = testPassword
    await part('-form').fire('submit')
    expect(part('-state').textContent).toContain('There is no such invitation for you')
    expect(part('-form').hidden).toBe(false)
    part('-email').value = newcomer
    await part('-form').fire('submit')
    expect(part('-state').textContent).toContain('Done')
    expect(await rolesInSpace()).toEqual({ ada: 'owner', new: 'editor' })
    await part('-accept').fire('click')
    expect(part('-state').textContent).toContain('There is no such invitation for you')
  })

  test('[HTTP-50] lets somebody new join by a link that was passed on', async () => {
    const { createSpaceLink } = ada.api.invitationLinks
    const { inviteUrl = '' } = await createSpaceLink({ spaceId: ada.spaceId, role: 'viewer' })
    const { part } = await openPage(new URL(inviteUrl, world.url).hash)
    expect(part('-address').hidden).toBe(true)
    part('-email').value = 'joins@example.com'
    part('-password').value = testPassword
    part('-is-new').checked = true
    await part('-form').fire('submit')
    expect(part('-state').textContent).toBe(`Done: you are in the space ${ada.spaceId}.`)
    expect(await rolesInSpace()).toEqual({ ada: 'owner', joins: 'viewer' })
  })

  test('[HTTP-94] sets a new password, and says what is wrong with one', async () => {
    await world.engine.public.accounts.sendPasswordReset({ email: ada.email })
    const hash = /#reset-password=\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
    const { part, newPassword } = await openPage(hash)
    expect([part('').hidden, newPassword('').hidden]).toEqual([true, false])
    newPassword('-password').value = 'short'
    await newPassword('-form').fire('submit')
    expect(newPassword('-state').textContent).toContain('must have at least 8 characters')
    const password = 'A-new-password-1'
    newPassword('-password').value = password
    await newPassword('-form').fire('submit')
    expect(newPassword('-state').textContent).toContain('Done')
    expect(newPassword('-form').hidden).toBe(true)
    const { accounts } = world.engine.public
    expect(await accounts.signIn({ email: ada.email, password })).toMatchObject({ id: ada.userId })
  })

  test('[HTTP-50] [HTTP-94] show nothing without a token or code, and run nothing inline', async () => {
    const { page, part, newPassword } = await openPage('')
    expect([part('').hidden, newPassword('').hidden]).toEqual([true, true])
    expect(page.text.match(/<script/g)).toHaveLength(1)
    expect(page.text).not.toMatch(/ on\w+=|style=/)
  })
})
