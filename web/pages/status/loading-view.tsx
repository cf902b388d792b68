/** The status page before its data: the same boxes at the same sizes, unlit. */
export function LoadingView() {
  return (
    <>
      <div className="status-split">
        <div className="status-column">
          <div className="status-place">
            <h1 className="status-loading" role="status">
              Loading Ghost Status...
            </h1>
          </div>
          <div className="card status-blank" />
        </div>
        <div className="status-column">
          <div className="card status-blank" />
          <div className="card status-blank" />
        </div>
      </div>
    </>
  );
}
