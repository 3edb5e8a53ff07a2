import { createClient } from '@gateleg/contract/client'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { testHttp } from '@gateleg/testing/http/test-http'
import type { Sample } from '@gateleg/testing/operations/operation-sample'
import { samplesIn } from '@gateleg/testing/operations/operation-samples'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type Cast, newCast, newPlace, type Place } from '@gateleg/testing/worlds/place'
import { afterAll, beforeAll, expect, test } from 'vitest'

type ByName<T> = Readonly<Record<string, Readonly<Record<string, T>>>>
type Call = (input: Sample['input']) => Promise<unknown>
type SampleOf = readonly [feature: string, name: string, sample: Sample]

/** A fetch that holds every answer against what is promised of every answer. */
function checkedFetch(world: HttpWorld): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    const { method = 'GET', body } = init
    const form = body instanceof FormData ? new Response(body) : undefined
    const sent = form ? Buffer.from(await form.arrayBuffer()) : body
    const type = form && { 'Content-Type': form.headers.get('Content-Type') ?? '' }
    const headers = { ...(init.headers as Record<string, string>), ...type }
    const answer = await world.send({ method, path: pathname + search, headers, body: sent })
    const { etag, 'content-type': answered, 'content-disposition': named } = answer.headers
    const length = answer.headers['content-length']
    return new Response(answer.text === '' ? null : answer.text, {
      status: answer.status,
      headers: {
        ...(etag && { ETag: etag }),
        ...(answered && { 'Content-Type': answered }),
        ...(named && { 'Content-Disposition': named }),
        ...(length && { 'Content-Length': length }),
      },
    })
  }
}

describeOnEveryStorage('operations', (storage) => {
  let world: HttpWorld
  let cast: Cast

  beforeAll(async () => {
    world = await openHttpWorld(storage)
    cast = await newCast(world)
  })
  afterAll(() => world.close())

  function clientWith(token: string): ByName<Call> {
    const options = { baseUrl: `${world.url}/api`, token, fetch: checkedFetch(world) }
    return createClient(options) as unknown as ByName<Call>
  }

  /** The samples in a place, each with the feature and name of its operation. */
  function samplesOf(place: Place): readonly SampleOf[] {
    const all: ByName<Sample | readonly Sample[]> = samplesIn(place, cast)
    return Object.entries(all).flatMap(([feature, byName]) =>
      Object.entries(byName).flatMap(([name, samples]) =>
        [samples].flat().map((sample) => [feature, name, sample as Sample] as const),
      ),
    )
  }

  test('[CONTRACT-7] [HTTP-15] every operation does over HTTP what it does in process', async () => {
    const { operations } = await testHttp()
    const reads = operations.filter(({ method }) => method === 'GET').map(({ name }) => name)
    const client = clientWith(cast.owner.accessToken)
    const api = cast.owner.api as unknown as ByName<Call>
    const toRead = samplesOf(await newPlace(cast))
    for (const [index, [feature, name, { input }]] of toRead.entries()) {
      if (reads.some((read) => read === `${feature}.${name}`)) {
        const answer = await client[feature]?.[name]?.(input)
        expect([name, answer]).toEqual([name, await api[feature]?.[name]?.(input)])
      } else {
        // What changes a place has one of its own.
        const [, , sample] = samplesOf(await newPlace(cast))[index] as SampleOf
        await client[feature]?.[name]?.(sample.input)
      }
    }
  }, 180_000)

  test('[HTTP-11] every operation but the public ones refuses who sends no credential', async () => {
    const { operations } = await testHttp()
    for (const { method, path, isPublic, name, useCase } of operations) {
      const request = { method, path: `/api${path.replace(/\{\w+\}/g, 'none')}` }
      const { status, text } = await world.send(request)
      expect([name, status === 401]).toEqual([name, !isPublic])
      if (isPublic) continue
      const { sessionOnly } = useCase.access.requirement
      expect([name, text.includes('access token')]).toEqual([name, !sessionOnly])
    }
    const ofNobody = operations.filter(({ isPublic, isOfShare }) => isPublic && !isOfShare)
    expect(ofNobody.map(({ name }) => name)).toEqual([
      'accounts.signUp',
      'accounts.sendSignUpCode',
      'accounts.signIn',
      'accounts.readAvatar',
      'accounts.sendPasswordReset',
      'accounts.resetPassword',
      'identities.listSignInProviders',
      'identities.startSignIn',
      'identities.finishSignIn',
      'oauthGrants.createTokens',
      'oauthGrants.revokeToken',
      'pluginGrants.createPluginToken',
      'pluginGrants.refreshPluginToken',
      'attachments.readAttachment',
    ])
  })

  test('[HTTP-13] every change by cookie is refused to pages of other sites', async () => {
    const { operations } = await testHttp()
    const Cookie = `gateleg_session=${cast.owner.accessToken}`
    const before = world.events.length
    for (const { method, path, isPublic, name } of operations) {
      if (isPublic || method === 'GET') continue
      const request = { method, path: `/api${path.replace(/\{\w+\}/g, 'none')}` }
      const headers = { Cookie, 'Sec-Fetch-Site': 'cross-site' }
      const { status } = await world.send({ ...request, headers })
      expect([name, status]).toEqual([name, 403])
    }
    expect(world.events.length).toBe(before)
  })
})
