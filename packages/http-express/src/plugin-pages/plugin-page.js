/** What the pages of plugins share: calls of the service they came from, and signing in there. */

/** The element of the id. */
export const part = (id) => document.getElementById(id)

/** Tells whoever looks or listens how things stand. */
export function say(text) {
  part('state').textContent = text
}

/** A call that was refused, or that reached nobody. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** What gets the page a token of its plugin, and the one that it has got. */
let renew
let token

/**
 * Acts by a token of the plugin from here on, for one of its installs: whatever the page shows or runs, it can do no more than the
 * plugin is for.
 */
export async function actFor(pluginId, pluginInstallId) {
  renew = async () => {
    token = undefined
    const path = `/plugin/${encodeURIComponent(pluginId)}/page-token`
    token = (await send('POST', path, { pluginInstallId })).accessToken
  }
  await renew()
}

/**
 * Calls an operation of the service by its path below `/api`, with a new token where that of before has ended; answers its JSON.
 * The session itself only gets tokens.
 */
export async function call(method, path, input) {
  if (!token) await renew()
  try {
    return await send(method, path, input)
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) throw error
    await renew()
    return send(method, path, input)
  }
}

async function send(method, path, input) {
  let answer
  try {
    answer = await fetch(`../api${path}`, {
      method,
      credentials: token ? 'omit' : 'same-origin',
      headers: {
        'Content-Type': 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(input && { body: JSON.stringify(input) }),
    })
  } catch {
    throw new Refusal(0, 'The server can not be reached: try again')
  }
  const text = await answer.text()
  const body = text === '' ? {} : JSON.parse(text)
  if (!answer.ok) throw new Refusal(answer.status, body.message)
  return body
}

/** Runs the work; where nobody is signed in, asks for that first. Says why something was refused. */
export async function attempt(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 401) return askToSignIn(work)
    say(error.message)
  }
}

function askToSignIn(work) {
  say('Sign in to go on')
  const form = part('sign-in')
  form.hidden = false
  form.onsubmit = (event) => {
    event.preventDefault()
    const [email, password] = [part('email').value.trim(), part('password').value]
    attempt(async () => {
      try {
        await send('POST', '/auth/signin', { email, password })
      } catch (error) {
        // Wrong words are said as they are: asking once more would hide them.
        if (error instanceof Refusal) return say(error.message)
        throw error
      }
      form.hidden = true
      say('')
      await work()
    })
  }
}

/** Puts options into a list: pairs of a value and a text. */
export function fill(select, options, chosen) {
  select.replaceChildren(
    ...options.map(([value, text]) => new Option(text, value, false, value === chosen)),
  )
}
