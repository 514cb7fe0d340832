"""What has no domain words: errors, blobs, numbers as text, page components."""
