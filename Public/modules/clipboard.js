/** Copies text; without a secure context, where the clipboard is out of reach, by selection. */
export async function copy(text, field) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused: the selection may still be allowed.
    }
  }
  field.focus();
  field.select();
  return document.execCommand('copy');
}
