export function StatusPage() {
  return <h1>Loading Ghost Status...</h1>;
}
