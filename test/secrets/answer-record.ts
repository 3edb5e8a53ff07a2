import type { SecretSearch } from './secret-search.ts'

/** An answer as it came over the wire, and the secrets that it is there to show. */
export interface KeptAnswer {
  readonly place: string
  readonly status: number
  readonly text: string
  readonly shown: ReadonlySet<string>
}

/** Calls whose answers show a secret once, with the members that hold it. */
const shownOnce: readonly (readonly [call: RegExp, members: readonly string[]])[] = [
  [/^POST \/auth\/sign(up|in)$/, ['accessToken', 'token']],
  [/^POST \/auth\/send-(signup-verification|change-email)-code$/, ['token']],
  [/^POST \/auth\/oidc\/\w+\/(start|link)$/, ['flow', 'url']],
  [/^POST \/auth\/oidc\/\w+\/callback$/, ['accessToken']],
  [/^POST \/admin\/invite-code$/, ['code']],
  [/^POST \/access-token$/, ['token']],
  [/^POST \/access-token\/\w+\/refresh$/, ['token']],
  [/^POST \/plugin$/, ['secret']],
  [/^POST \/plugin\/\w+\/regenerate-secret$/, ['secret']],
  [/^POST \/plugin\/\w+\/authCode$/, ['code']],
  [/^POST \/plugin\/\w+\/(token|refreshToken)$/, ['accessToken', 'refreshToken']],
  [/^POST \/oauth\/client\/\w+\/secret$/, ['secret']],
  [/^POST \/oauth\/(authorize|decision\/.*)$/, ['url']],
  [/^POST \/oauth\/access_token$/, ['access_token', 'refresh_token']],
  [/^POST .*\/generate-webhook-token$/, ['token', 'secret']],
  [/^POST \/share\/\w+\/view\/auth$/, ['token']],
  // Who made a link can send it again.
  [/^(POST|GET|PATCH) .*\/invitation\/link(\/\w+)?$/, ['invitationCode', 'inviteUrl']],
  // Whoever may read a record may read its files for a while.
  [/^(?!GET \/openapi)\w+ /, ['presignedUrl']],
]

/** Parts of a URL that are secret. */
const partsOfUrl = /(?<=[?&](?:code|state|nonce|token)=|decision\/|#invitation=\w+\.)[^&#]{8,}/g

/** Sends requests as `fetch` does and keeps all answers; secrets that they are there to show are added to the search. */
export class AnswerRecord {
  readonly answers: KeptAnswer[] = []
  readonly #search: SecretSearch
  readonly #used = new Set<RegExp>()

  constructor(search: SecretSearch) {
    this.#search = search
  }

  /** Calls of which no answer has shown what it is there to show. */
  get unused(): readonly RegExp[] {
    return shownOnce.map(([call]) => call).filter((call) => !this.#used.has(call))
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const answer = await fetch(input, { redirect: 'manual', ...init })
    const text = await answer.clone().text()
    const { pathname } = new URL(String(input))
    const place = `${init?.method ?? 'GET'} ${pathname.replace(/^\/api(?=\/)/, '')}`
    const shown = new Set<string>()
    const add = (name: string, secret: string) => {
      if (secret !== '' && secret !== '********')
        shown.add(this.#search.addDrawn(`${name} of ${place}`, secret))
    }
    const rules = shownOnce.filter(([call]) => call.test(place))
    for (const [member, value] of rules.length > 0 ? stringsIn(text) : []) {
      // A refused sign-up shows the token that goes with its mailed code.
      if (answer.status >= 400 && member !== 'token') continue
      for (const [call, members] of rules) {
        if (!members.includes(member)) continue
        this.#used.add(call)
        this.#take(member, value, add)
      }
    }
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      add(`cookie ${name}`, decodeURIComponent(value))
    }
    this.#take('Location', answer.headers.get('Location') ?? '/', add)
    const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    this.answers.push({ place, status: answer.status, text: `${head}\n\n${text}`, shown })
    return answer
  }

  #take(member: string, value: string, add: (name: string, secret: string) => void): void {
    if (!/[?/#]/.test(value)) add(member, value)
    else
      for (const [part] of value.matchAll(partsOfUrl))
        add(`part of ${member}`, decodeURIComponent(part))
  }
}

/** All texts in a JSON text with their members; none where it is something else. */
function stringsIn(text: string): readonly (readonly [member: string, value: string])[] {
  const found: (readonly [string, string])[] = []
  if (!/^[[{]/.test(text)) return found
  try {
    JSON.parse(text, (member, value) => {
      if (typeof value === 'string') found.push([member, value])
      return value
    })
  } catch {
    // Archives are lines of JSON.
  }
  return found
}
