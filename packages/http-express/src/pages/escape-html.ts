/** The text as it stands in a page or in an attribute of one, whatever is in it: addresses say what callers wrote. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
