/** Nothing that means more than itself where origins are listed, such as `*` and `;`. */
const form = /^https?:\/\/[\w.[\]:-]+$/

/** Whether the text is an origin as browsers name it: `https://app.example.com`, with a port where it isn't the usual one. */
export function isOrigin(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    form.test(text) &&
    URL.canParse(text) &&
    new URL(text).origin === text
  )
}
