/**
 * What the front page shows to who is to sign in before an app may ask them something, `/#sign-in=<path>`: hidden until the script
 * finds the way back behind the `#`, which browsers send to no server.
 */
export const signInSection = `<section id="sign-in" hidden>
      <h2>Sign in</h2>
      <p id="sign-in-state" role="status"></p>
      <form id="sign-in-form">
        <p><label>E-mail address <input id="sign-in-email" type="email" autocomplete="username" required></label></p>
        <p><label>Password <input id="sign-in-password" type="password" autocomplete="current-password" required></label></p>
        <p><button>Sign in</button></p>
      </form>
    </section>
    <noscript><p>Who is to let an app in, and runs no scripts here, signs in by the operation <code>POST /api/auth/signin</code>, and opens the address of the app's question again.</p></noscript>`

/** The script of that part of the page. It leads back to what apps ask, and to no other place. */
export const signInScript = `{
const back = toQuestion(new URLSearchParams(location.hash.slice(1)).get('sign-in'))
const part = (name) => document.getElementById('sign-in' + name)
const say = (text) => { part('-state').textContent = text }

/** Where an app's question is, whose name is encoded twice; undefined for what a browser takes for any other place, however that is written. */
function toQuestion(path) {
  if (!path || !path.startsWith('api/')) return undefined
  const root = new URL(api, location.href)
  const { origin, pathname, search } = new URL(api + path.slice('api'.length), location.href)
  const isOurs = origin === location.origin && pathname.startsWith(root.pathname + '/')
  const isQuestion = /^\\/oauth\\/(authorize|decision\\/([\\w.!~*'()-]|%25)+)\\/?$/.test(pathname.slice(root.pathname.length))
  return isOurs && isQuestion ? origin + pathname + search : undefined
}

async function signIn(event) {
  event.preventDefault()
  say('One moment …')
  const email = part('-email').value.trim()
  const password = part('-password').value
  const { ok, body } = await call('POST', '/auth/signin', { email, password })
  if (!ok) return say(body.message + '.')
  location.assign(back)
}

if (back) {
  part('').hidden = false
  part('-form').addEventListener('submit', signIn)
  say('An app asks to act for you. Sign in to see what it asks for.')
}
}
`
